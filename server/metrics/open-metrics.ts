import type { Logger } from "pino";
import type { AccountsClock } from "../accounts/clock.ts";
import { fileBehindLinks } from "../accounts/sqlite/linked-file.ts";
import type { JobCounts } from "../jobs/job-store.ts";
import { textOf, type MetricValues } from "./metric.ts";
import { serveMetrics, type MetricsServer } from "./metrics-server.ts";
import { ProcessMetrics } from "./process-metrics.ts";
import { ServerMetrics, type ServerMetricsOptions } from "./server-metrics.ts";
import { isRedisAddress } from "../redis/address.ts";
import type { JobProcess, MetricsOptions, ServerOptions } from "../server-options.ts";

/** What metrics are read from at each scrape; parts of it may not be there yet. */
export interface MetricSources extends Pick<
  ServerMetricsOptions,
  "jobs" | "inFlight" | "connections"
> {
  /** Asks the store of accounts something small. */
  readonly ping: () => unknown;
}

/** Metrics in use, and the port they are read on. */
export interface OpenedMetrics<Metrics extends ProcessMetrics> {
  readonly metrics: Metrics;
  /** Every number now. */
  values(): Promise<readonly MetricValues[]>;
  /** Undefined if they are not read on a port. */
  readonly url: string | undefined;
  close(): void;
}

interface Around {
  readonly log: Logger;
  readonly clock: AccountsClock;
}

/** The metrics of a server; undefined if its options ask for none. */
export async function openServerMetrics(
  options: ServerOptions,
  { log, clock }: Around,
  { ping, ...sources }: MetricSources,
): Promise<OpenedMetrics<ServerMetrics> | undefined> {
  const { metrics: wanted, state, jobs, version, process } = options;
  if (wanted === undefined) return undefined;
  const onRedis = isRedisAddress(state);
  const metrics = new ServerMetrics({
    clock,
    version,
    process,
    store: {
      kind: onRedis ? "redis" : "embedded",
      file: onRedis ? undefined : fileBehindLinks(state),
      ping,
    },
    ...sources,
  });
  return await opened(metrics, wanted, log, jobs);
}

export interface WorkerMetricsOptions extends Around {
  readonly metrics?: MetricsOptions | "unserved" | undefined;
  readonly version: string;
  readonly process?: string | undefined;
  /** The worker's store, as metrics name it. */
  readonly state: string;
  readonly jobs: () => JobCounts | Promise<JobCounts>;
}

/** The metrics of a worker of jobs; undefined if its options ask for none. */
export async function openWorkerMetrics(
  options: WorkerMetricsOptions,
): Promise<OpenedMetrics<ProcessMetrics> | undefined> {
  const { metrics: wanted, version, process, state, jobs, clock, log } = options;
  if (wanted === undefined) return undefined;
  const kind = isRedisAddress(state) ? "redis" : "embedded";
  const store = { kind, file: undefined, ping: jobs };
  const metrics = new ProcessMetrics({ clock, version, process, store, jobs });
  return await opened(metrics, wanted, log);
}

/** `beside` is a process whose metrics are read on the same port. */
async function opened<Metrics extends ProcessMetrics>(
  metrics: Metrics,
  wanted: MetricsOptions | "unserved",
  log: Logger,
  beside?: JobProcess,
): Promise<OpenedMetrics<Metrics>> {
  const values = () => metrics.registry.values();
  const text = async () => await textOf([await values(), (await beside?.metrics()) ?? []]);
  const server = wanted === "unserved" ? undefined : await serveText(wanted, log, text);
  return { metrics, values, url: server?.url, close: () => server?.close() };
}

/** Opens a port for metrics. If a default port is taken, the process goes without metrics and says so. */
export async function serveText(
  { host, port, required }: MetricsOptions,
  log: Logger,
  text: () => Promise<string>,
): Promise<MetricsServer | undefined> {
  const report = (error: unknown) => log.error({ err: error }, "the metrics cannot be told");
  try {
    return await serveMetrics({ host, port, text, report });
  } catch (error) {
    if (required) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason }, "no metrics: give this process a port of its own with --metrics-port");
    return undefined;
  }
}
