import { setTimeout as sleep } from "node:timers/promises";
import type { Metric, Registry } from "prom-client";

/** A store that works answers sooner. Prometheus waits for ten seconds by default. */
const READ_LIMIT_MS = 500;

/** One number of a metric. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** For a histogram: the metric's name with "_bucket", "_sum" or "_count". */
  readonly metricName?: string;
}

/** A metric's numbers; a single one without labels by itself; undefined for none. */
export type Reading = number | undefined | readonly Sample[];

export interface MetricDefinition {
  /** `hindsight_...`, in base units: seconds, bytes. A counter ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Called at each scrape and not before, so that between scrapes a metric costs only its counting. */
  readonly read: (name: string) => Reading | Promise<Reading>;
}

/** A metric with its numbers, as one process hands it to another. */
export interface MetricValues extends Omit<MetricDefinition, "read"> {
  readonly values: readonly Sample[];
}

/**
 * Registers a metric whose numbers are kept elsewhere. The library's own metrics parse a set of labels for
 * each observation; here a request only pays for an addition to a typed array.
 */
export function register(registry: Registry, { name, help, type, read }: MetricDefinition): void {
  const metric = {
    name,
    help,
    type,
    async get() {
      const values = (await samplesOf(() => read(name))).map((sample) => ({
        labels: {},
        ...sample,
      }));
      return { name, help, type, values, aggregator: "sum" };
    },
  };
  // The registry uses a metric's name and `get()`, and nothing else that we need.
  registry.registerMetric(metric as unknown as Metric);
}

/** Reads the samples; none if they cannot be had, or not in time, as the jobs of a store that is down. */
async function samplesOf(read: () => Reading | Promise<Reading>): Promise<readonly Sample[]> {
  try {
    const reading = await inTime(read());
    return typeof reading === "number" ? [{ value: reading }] : (reading ?? []);
  } catch {
    return [];
  }
}

/** A value, or undefined if it is not there before a scrape has waited long enough. */
export async function inTime<T>(value: T | Promise<T>): Promise<T | undefined> {
  return await Promise.race([value, sleep(READ_LIMIT_MS, undefined, { ref: false })]);
}
