import { setTimeout as sleep } from "node:timers/promises";
import { collectDefaultMetrics, Histogram, Registry, type Metric } from "prom-client";

export interface ProcessOptions {
  readonly version: string;
  /** The process's name in a label; undefined for the server itself. */
  readonly process?: string | undefined;
}

/**
 * The metrics of a process: those that its parts add, and its memory, CPU time, event-loop lag and garbage collections,
 * which count from the first scrape.
 */
export class ProcessRegistry {
  readonly #registry = new Registry();
  #isScraped = false;

  constructor({ version, process }: ProcessOptions) {
    if (process !== undefined) this.#registry.setDefaultLabels({ process });
    this.gauge("hindsight_build_info", "1; `version` is the package's.", () => [
      { labels: { version }, value: 1 },
    ]);
  }

  gauge(name: string, help: string, read: MetricDefinition["read"]): void {
    register(this.#registry, { name, help, type: "gauge", read });
  }

  counter(name: string, help: string, read: MetricDefinition["read"]): void {
    register(this.#registry, { name, help, type: "counter", read });
  }

  histogram<Label extends string = never>(
    name: string,
    help: string,
    buckets: readonly number[],
    ...labelNames: Label[]
  ): Histogram<Label> {
    const registers = [this.#registry];
    return new Histogram({ name, help, buckets: [...buckets], labelNames, registers });
  }

  async values(): Promise<readonly MetricValues[]> {
    if (!this.#isScraped) collectDefaultMetrics({ register: this.#registry });
    this.#isScraped = true;
    return (await this.#registry.getMetricsAsJSON()) as unknown as readonly MetricValues[];
  }

  /** The page that Prometheus reads, with the metrics of a process beside this one. Labels tell the two apart. */
  async text(beside: readonly MetricValues[] = []): Promise<string> {
    const page = new Registry();
    const both = new Map((await this.values()).map((metric) => [metric.name, metric]));
    for (const metric of beside) {
      const own = both.get(metric.name)?.values ?? [];
      both.set(metric.name, { ...metric, values: [...own, ...metric.values] });
    }
    for (const metric of both.values()) register(page, { ...metric, read: () => metric.values });
    return await page.metrics();
  }
}

/** A working store answers sooner. Prometheus waits for ten seconds by default. */
const READ_LIMIT_MS = 500;

export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** For a histogram: the metric's name with "_bucket", "_sum" or "_count". */
  readonly metricName?: string;
}

/** A metric's numbers: a single one without labels, a list, or undefined for none. */
export type Reading = number | undefined | readonly Sample[];

export interface MetricDefinition {
  /** `hindsight_...`, in base units: seconds, bytes. A counter ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Called at each scrape, so that between scrapes a metric costs only its counting. */
  readonly read: () => Reading | Promise<Reading>;
}

/** A metric with its numbers, as one process hands it to another. */
export interface MetricValues extends Omit<MetricDefinition, "read"> {
  readonly values: readonly Sample[];
}

/**
 * Registers a metric whose numbers are kept elsewhere and read at a scrape.
 */
function register(registry: Registry, { name, help, type, read }: MetricDefinition): void {
  const metric = {
    name,
    help,
    type,
    async get() {
      const values = (await samplesOf(read)).map((sample) => ({
        labels: {},
        ...sample,
      }));
      return { name, help, type, values, aggregator: "sum" };
    },
  };
  // The registry uses a metric's name and `get()`, and nothing else that we need.
  registry.registerMetric(metric as unknown as Metric);
}

/** The samples of a metric; none if they cannot be read in time, like the jobs of a store that is down. */
async function samplesOf(read: () => Reading | Promise<Reading>): Promise<readonly Sample[]> {
  try {
    const reading = await inTime(read());
    return typeof reading === "number" ? [{ value: reading }] : (reading ?? []);
  } catch {
    return [];
  }
}

/** A value, or undefined if it does not arrive within the time a scrape may wait. */
export async function inTime<T>(value: T | Promise<T>): Promise<T | undefined> {
  return await Promise.race([value, sleep(READ_LIMIT_MS, undefined, { ref: false })]);
}
