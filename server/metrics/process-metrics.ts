import type { AccountsClock } from "../accounts/accounts.ts";
import type { JobCounts } from "../jobs/job-store.ts";
import { JobMetrics } from "./job-metrics.ts";
import { ProcessRegistry, type ProcessOptions } from "./process-registry.ts";
import { SnapshotMetrics } from "./snapshot-metrics.ts";
import { StoreMetrics, type StoreMetricsOptions } from "./store-metrics.ts";

export interface ProcessMetricsOptions extends ProcessOptions {
  readonly clock: AccountsClock;
  readonly store: StoreMetricsOptions;
  /** Called at each scrape; the store may not be there yet. */
  readonly jobs: () => JobCounts | Promise<JobCounts>;
}

/** What servers and workers both report: the process, the store, the snapshot, the backtests. */
export class ProcessMetrics {
  readonly registry: ProcessRegistry;
  readonly jobs: JobMetrics;
  readonly snapshots: SnapshotMetrics;
  readonly store: StoreMetrics;

  constructor(options: ProcessMetricsOptions) {
    const { clock, store, jobs } = options;
    this.registry = new ProcessRegistry(options);
    this.store = new StoreMetrics(this.registry, store, clock);
    this.snapshots = new SnapshotMetrics(this.registry, clock.nowMs);
    this.jobs = new JobMetrics(this.registry, jobs, clock);
  }
}
