import type { Registry } from "prom-client";
import type { AccountsClock } from "../accounts/clock.ts";
import type { JobCounts } from "../backtests/job-store.ts";
import type { ServiceMeter } from "../service.ts";
import { JobMetrics } from "./job-metrics.ts";
import { addMetric } from "./metric.ts";
import { processRegistry, type ProcessOptions } from "./process-registry.ts";
import { SnapshotMetrics } from "./snapshot-metrics.ts";
import { StoreMetrics, type StoreMetricsOptions } from "./store-metrics.ts";
import { Traffic } from "./traffic.ts";

export interface ServerMetricsOptions extends ProcessOptions {
  readonly clock: AccountsClock;
  readonly store: Pick<StoreMetricsOptions, "kind" | "ping" | "file">;
  /** What is asked of the parts at each scrape; they may not be there yet. */
  readonly facts: ServerFacts;
}

export interface ServerFacts {
  jobs(): JobCounts | Promise<JobCounts>;
  /** Requests that were read and not yet answered. */
  inFlight(): number;
  connections(): number;
}

/** Everything a server tells of itself. */
export class ServerMetrics {
  readonly registry: Registry;
  readonly jobs: JobMetrics;
  readonly snapshots: SnapshotMetrics;
  readonly #store: StoreMetrics;
  readonly #clock: AccountsClock;

  constructor(options: ServerMetricsOptions) {
    const { clock, facts, store } = options;
    this.#clock = clock;
    this.registry = processRegistry(options);
    this.jobs = new JobMetrics({ counts: () => facts.jobs(), ...clock });
    this.snapshots = new SnapshotMetrics(clock.nowMs);
    this.#store = new StoreMetrics({ ...store, ...clock });
    for (const part of [this.#store, this.snapshots, this.jobs]) part.register(this.registry);
    addMetric(this.registry, {
      name: "hindsight_http_requests_in_flight",
      help: "Requests that were read and wait for their answer.",
      type: "gauge",
      read: () => [{ value: facts.inFlight() }],
    });
    addMetric(this.registry, {
      name: "hindsight_http_connections",
      help: "Connections that are open.",
      type: "gauge",
      read: () => [{ value: facts.connections() }],
    });
  }

  /** Who counts the requests of a service with these routes. To be called once. */
  meterOf(routes: readonly string[]): ServiceMeter {
    const traffic = new Traffic({ routes, monotonicMs: this.#clock.monotonicMs });
    traffic.register(this.registry);
    return {
      over: (request, reply) => traffic.over(request, reply),
      charged: (request, units) => traffic.charged(request, units),
      outage: (error) => this.#store.failed(error),
    };
  }
}
