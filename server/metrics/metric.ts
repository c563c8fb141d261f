import type { Metric, Registry } from "prom-client";
import { inTime } from "../process/in-time.ts";
import { metricsLibrary } from "./metrics-library.ts";

/** A store that works answers sooner. Prometheus waits for ten seconds by default. */
export const READ_LIMIT_MS = 500;

/** One number of a metric. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** For a histogram: the metric's name with "_bucket", "_sum" or "_count". */
  readonly metricName?: string;
}

export interface MetricDefinition {
  /** `hindsight_...`, in base units: seconds, bytes. A counter ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Called at each scrape and not before, so that between scrapes a metric costs only its counting. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** A metric with its numbers, as one process hands it to another. */
export interface MetricValues {
  readonly name: string;
  readonly help: string;
  readonly type: string;
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
      const values = (await readOrNothing(read)).map((sample) => ({ labels: {}, ...sample }));
      return { name, help, type, values, aggregator: "sum" };
    },
  };
  // The registry uses a metric's name and `get()`, and nothing else that we need.
  registry.registerMetric(metric as unknown as Metric);
}

/**
 * Reads the samples; none if they cannot be had, or not in time, for example the jobs of a store that is
 * down. The other metrics matter all the more then.
 */
async function readOrNothing(read: MetricDefinition["read"]): Promise<readonly Sample[]> {
  try {
    return (await inTime(read(), READ_LIMIT_MS)) ?? [];
  } catch {
    return [];
  }
}

/** The metrics of several processes as one text. Nothing is added up: a label tells the processes apart. */
export async function textOf(processes: readonly (readonly MetricValues[])[]): Promise<string> {
  const byName = new Map<string, MetricValues[]>();
  for (const metric of processes.flat()) {
    const same = byName.get(metric.name);
    if (same === undefined) byName.set(metric.name, [metric]);
    else same.push(metric);
  }
  const { Registry } = metricsLibrary();
  const registry = new Registry();
  for (const [name, metrics] of byName) {
    const { help, type } = metrics[0]!; // a name enters the map with its first metric
    const values = metrics.flatMap((each) => each.values);
    register(registry, { name, help, type: type as MetricDefinition["type"], read: () => values });
  }
  return await registry.metrics();
}
