import { collectDefaultMetrics, Registry } from "prom-client";
import { addMetric } from "./metric.ts";

export interface ProcessOptions {
  /** Of the package. */
  readonly version: string;
  /** Which of several processes this is; undefined where there is one. */
  readonly process?: string | undefined;
}

/** A registry with what every process tells of itself: memory, CPU time, event-loop lag, collections, its version. */
export function processRegistry({ version, process }: ProcessOptions): Registry {
  const registry = new Registry();
  if (process !== undefined) registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  addMetric(registry, {
    name: "hindsight_build_info",
    help: "1; `version` is the package's.",
    type: "gauge",
    read: () => [{ labels: { version }, value: 1 }],
  });
  return registry;
}
