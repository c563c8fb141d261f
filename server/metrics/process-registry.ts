import type { Registry } from "prom-client";
import { register, type MetricDefinition, type MetricValues } from "./metric.ts";
import { metricsLibrary } from "./metrics-library.ts";

export interface ProcessOptions {
  /** The package's version. */
  readonly version: string;
  /** Which of several processes this is; undefined if there is only one. */
  readonly process?: string | undefined;
}

/**
 * What a process reports about itself: what its parts register, plus memory, CPU time, event-loop lag and
 * garbage collections. The process's own figures count from when somebody asks for the first time.
 */
export class ProcessRegistry {
  readonly #options: ProcessOptions;
  readonly #metrics: MetricDefinition[] = [];
  #registry: Registry | undefined;

  constructor(options: ProcessOptions) {
    const { version } = options;
    this.#options = options;
    this.add({
      name: "hindsight_build_info",
      help: "1; `version` is the package's.",
      type: "gauge",
      read: () => [{ labels: { version }, value: 1 }],
    });
  }

  /** Call it before anybody has asked. */
  add(metric: MetricDefinition): void {
    this.#metrics.push(metric);
  }

  /** Every metric with its numbers now. */
  async values(): Promise<readonly MetricValues[]> {
    this.#registry ??= this.#open();
    return (await this.#registry.getMetricsAsJSON()) as unknown as readonly MetricValues[];
  }

  #open(): Registry {
    const { collectDefaultMetrics, Registry } = metricsLibrary();
    const registry = new Registry();
    const { process } = this.#options;
    if (process !== undefined) registry.setDefaultLabels({ process });
    collectDefaultMetrics({ register: registry });
    for (const metric of this.#metrics) register(registry, metric);
    return registry;
  }
}
