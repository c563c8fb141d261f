import { createRequire } from "node:module";
import type * as Prometheus from "prom-client";
import { register, type MetricDefinition, type MetricValues } from "./metric.ts";

export interface ProcessOptions {
  /** The package's version. */
  readonly version: string;
  /** The process's name in a label; undefined for the server itself. */
  readonly process?: string | undefined;
}

const load = createRequire(import.meta.url);

/**
 * prom-client, loaded at the first scrape, so that a server's start does not wait for it. With `require`, which tries
 * again after a failure: a first scrape may come while no file can be opened.
 */
const library = () => load("prom-client") as typeof Prometheus;

/**
 * What a process reports about itself: what its parts add, plus memory, CPU time, event-loop lag and garbage
 * collections. The process's own figures count from the first scrape.
 */
export class ProcessRegistry {
  readonly #process: string | undefined;
  readonly #metrics: MetricDefinition[] = [];
  #registry: Prometheus.Registry | undefined;

  constructor({ version, process }: ProcessOptions) {
    this.#process = process;
    this.gauge("hindsight_build_info", "1; `version` is the package's.", () => [
      { labels: { version }, value: 1 },
    ]);
  }

  gauge(name: string, help: string, read: MetricDefinition["read"]): void {
    this.#metrics.push({ name, help, type: "gauge", read });
  }

  counter(name: string, help: string, read: MetricDefinition["read"]): void {
    this.#metrics.push({ name, help, type: "counter", read });
  }

  histogram(name: string, help: string, read: MetricDefinition["read"]): void {
    this.#metrics.push({ name, help, type: "histogram", read });
  }

  /** Every metric with its numbers now. */
  async values(): Promise<readonly MetricValues[]> {
    this.#registry ??= this.#open();
    return (await this.#registry.getMetricsAsJSON()) as unknown as readonly MetricValues[];
  }

  /** The page that Prometheus reads, with the metrics of a process beside this one. Labels tell the two apart. */
  async text(beside: readonly MetricValues[] = []): Promise<string> {
    const page = new (library().Registry)();
    const both = new Map((await this.values()).map((metric) => [metric.name, metric]));
    for (const metric of beside) {
      const own = both.get(metric.name)?.values ?? [];
      both.set(metric.name, { ...metric, values: [...own, ...metric.values] });
    }
    for (const metric of both.values()) register(page, { ...metric, read: () => metric.values });
    return await page.metrics();
  }

  #open(): Prometheus.Registry {
    const { collectDefaultMetrics, Registry } = library();
    const registry = new Registry();
    if (this.#process !== undefined) registry.setDefaultLabels({ process: this.#process });
    collectDefaultMetrics({ register: registry });
    for (const metric of this.#metrics) register(registry, metric);
    return registry;
  }
}
