import type { Registry } from "prom-client";
import { register, type MetricDefinition, type MetricValues } from "./metric.ts";
import { metricsLibrary } from "./metrics-library.ts";

export interface ProcessOptions {
  /** The package's version. */
  readonly version: string;
  /** The process's name in a label; undefined for the server itself. */
  readonly process?: string | undefined;
}

/**
 * What a process reports about itself: what its parts register, plus memory, CPU time, event-loop lag and
 * garbage collections. The process's own figures count from the first scrape.
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

  /** Call it before the first scrape. */
  add(metric: MetricDefinition): void {
    this.#metrics.push(metric);
  }

  /** Every metric with its numbers now. */
  async values(): Promise<readonly MetricValues[]> {
    this.#registry ??= this.#open();
    return (await this.#registry.getMetricsAsJSON()) as unknown as readonly MetricValues[];
  }

  /** The page that Prometheus reads, with the metrics of a process beside this one. Labels tell the two apart. */
  async text(beside: readonly MetricValues[] = []): Promise<string> {
    const page = new (metricsLibrary().Registry)();
    const byName = new Map<string, MetricValues[]>();
    for (const metric of [...(await this.values()), ...beside]) {
      const same = byName.get(metric.name);
      if (same === undefined) byName.set(metric.name, [metric]);
      else same.push(metric);
    }
    for (const [name, metrics] of byName) {
      const { help, type } = metrics[0]!; // a name enters the map with its first metric
      const values = metrics.flatMap((each) => each.values);
      register(page, { name, help, type, read: () => values });
    }
    return await page.metrics();
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
