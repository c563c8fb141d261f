import type { Logger } from "pino";
import type { AccountsClock } from "./accounts/clock.ts";
import { textOf, valuesOf, type MetricValues } from "./metrics/metric.ts";
import { serveMetrics } from "./metrics/metrics-server.ts";
import { ServerMetrics, type ServerFacts } from "./metrics/server-metrics.ts";
import { isRedisAddress } from "./redis/address.ts";
import type { ServerOptions } from "./server-options.ts";
import type { ServiceMeter } from "./service.ts";

export interface RunningMetrics extends Pick<ServerMetrics, "jobs" | "snapshots"> {
  readonly meterOf: (routes: readonly string[]) => ServiceMeter;
  /** Undefined where there is no port to read them on. */
  readonly url: string | undefined;
  /** Every number now. */
  values(): Promise<readonly MetricValues[]>;
  close(): void;
}

interface Wanted {
  readonly options: ServerOptions;
  readonly log: Logger;
  readonly clock: AccountsClock;
  /** Asks the store of accounts something small. */
  readonly ping: () => unknown;
}

/** The metrics of a server, and the port they are read on; undefined where the options ask for none. */
export async function openMetrics(
  { options, log, clock, ping }: Wanted,
  facts: ServerFacts,
): Promise<RunningMetrics | undefined> {
  const { metrics: wanted, state, version = "unknown", process } = options;
  if (wanted === undefined) return undefined;
  const onRedis = isRedisAddress(state);
  const store = { kind: onRedis ? "redis" : "embedded", file: onRedis ? undefined : state, ping };
  const metrics = new ServerMetrics({ clock, facts, store, version, process });
  const values = () => valuesOf(metrics.registry);
  const text = async () => await textOf([await values()]);
  const report = (error: unknown) => log.error({ err: error }, "the metrics cannot be told");
  const { jobs, snapshots } = metrics;
  const meterOf = (routes: readonly string[]) => metrics.meterOf(routes);
  const running = { jobs, snapshots, meterOf, values };
  if (wanted === "unserved") return { ...running, url: undefined, close: () => {} };
  try {
    const { host, port } = wanted;
    const server = await serveMetrics({ host, port, text, report });
    return { ...running, url: server.url, close: () => server.close() };
  } catch (error) {
    if (wanted.required) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason }, "no metrics: give this server a port of its own with --metrics-port");
    return undefined;
  }
}
