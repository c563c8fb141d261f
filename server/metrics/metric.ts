import type { Metric, Registry } from "prom-client";

/** A store that answers at all answers sooner; Prometheus waits for ten seconds, unless told otherwise. */
const READ_LIMIT_MS = 500;

/** One number of a metric. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** Of a histogram: the metric's name with "_bucket", "_sum" or "_count". */
  readonly metricName?: string;
}

export interface MetricDefinition {
  /** `hindsight_...`, in base units: seconds, bytes. A counter ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Asked at each scrape, and not before: what is counted costs no more than its counting. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** A metric with its numbers, as one process hands it to another. */
export interface MetricValues {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly Sample[];
}

/** Where parts put what they have to tell. */
export interface MetricSet {
  add(metric: MetricDefinition): void;
}

/**
 * Puts a metric whose numbers are kept elsewhere into a registry. The library's own metrics take a text of labels
 * apart for each observation; a request pays for an addition to a typed array instead.
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
  // The registry asks a metric for its name and `get()`, and for nothing else that is used here.
  registry.registerMetric(metric as unknown as Metric);
}

/**
 * Nothing of what cannot be told now, or not in time, such as the jobs of a store that is down: the rest matters
 * all the more.
 */
async function readOrNothing(read: MetricDefinition["read"]): Promise<readonly Sample[]> {
  try {
    return (await inTime(read())) ?? [];
  } catch {
    return [];
  }
}

/** Undefined where a value is not there within the time a scrape can spend on it. */
export async function inTime<T>(value: T | Promise<T>): Promise<T | undefined> {
  if (!(value instanceof Promise)) return value;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), READ_LIMIT_MS);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Several processes' metrics as one text. Nothing is added up: the processes differ in a label. */
export async function textOf(processes: readonly (readonly MetricValues[])[]): Promise<string> {
  const byName = new Map<string, MetricValues[]>();
  for (const metric of processes.flat()) {
    const same = byName.get(metric.name);
    if (same === undefined) byName.set(metric.name, [metric]);
    else same.push(metric);
  }
  const { Registry } = await import("prom-client");
  const registry = new Registry();
  for (const [name, metrics] of byName) {
    const { help, type } = metrics[0]!; // a name stands in the map with its first metric
    const values = metrics.flatMap((each) => each.values);
    register(registry, { name, help, type: type as MetricDefinition["type"], read: () => values });
  }
  return await registry.metrics();
}
