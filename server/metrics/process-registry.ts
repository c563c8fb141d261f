import type { Registry } from "prom-client";
import { register, type MetricDefinition, type MetricValues } from "./metric.ts";

export interface ProcessOptions {
  /** The package's version. */
  readonly version: string;
  /** Which of several processes this is; undefined if there is only one. */
  readonly process?: string | undefined;
}

/**
 * What a process reports about itself: what its parts register, plus memory, CPU time, event-loop lag and
 * garbage collections. The library is loaded when somebody asks for the first time, so that a server's start
 * does not wait for it. The process's own figures count from then on.
 */
export class ProcessRegistry {
  readonly #options: ProcessOptions;
  readonly #metrics: MetricDefinition[] = [];
  #registry: Promise<Registry> | undefined;

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
    const registry = await this.#registry;
    return (await registry.getMetricsAsJSON()) as unknown as readonly MetricValues[];
  }

  async #open(): Promise<Registry> {
    const { collectDefaultMetrics, Registry } = await import("prom-client");
    const registry = new Registry();
    const { process } = this.#options;
    if (process !== undefined) registry.setDefaultLabels({ process });
    collectDefaultMetrics({ register: registry });
    for (const metric of this.#metrics) register(registry, metric);
    return registry;
  }
}
