import { join } from "node:path";
import type { Logger } from "pino";
import { findCurrent } from "../../../snapshots/folder.ts";
import { openSnapshot } from "../../../snapshots/reader.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import type { AccountsClock } from "../../accounts/clock.ts";
import { StoreIdentity } from "../../accounts/redis/store-identity.ts";
import { CurrentSnapshot } from "../../current-snapshot.ts";
import type { SnapshotData } from "../../routes/snapshot-data.ts";
import { JobMarkets } from "../job-markets.ts";
import { JobService } from "../job-service.ts";
import { BACKTEST_WORKER } from "../worker-file.ts";
import { openWorkerMetrics } from "../../open-metrics.ts";
import type { MetricsOptions } from "../../server-options.ts";
import { openRedisHome, type RedisHome } from "./redis-home.ts";

export interface JobWorkerOptions {
  /** `redis://` or `rediss://`, checked. */
  readonly address: string;
  /** Folder of published snapshots: this machine's own copy, or a shared one. */
  readonly snapshots: string;
  readonly threads: number;
  readonly clock: AccountsClock;
  readonly log: Logger;
  /** Where Prometheus reads this process; undefined for nowhere. */
  readonly metrics?: MetricsOptions | undefined;
  /** Of the package, for the metrics. */
  readonly version?: string | undefined;
}

export interface JobWorker {
  /** Ends what is under way or puts it back, and lets everything go. */
  stop(): Promise<void>;
}

/** A Redis that is away is not waited for longer: the worker begins, and looks for it as it goes on. */
const FIRST_WAIT_MS = 3_000;

/** Runs backtests that servers took in, without answering requests; waits for Redis and for snapshots as long as it takes. */
export async function startJobWorker(options: JobWorkerOptions): Promise<JobWorker> {
  const { address, snapshots, threads, clock, log } = options;
  let current: SnapshotData | undefined;
  let home: RedisHome | undefined;
  const metrics = await openWorkerMetrics({
    metrics: options.metrics,
    version: options.version ?? "unknown",
    jobs: () => home?.counts() ?? Promise.reject(new Error("the jobs are not open yet")),
    clock,
    log,
  });
  const following = new CurrentSnapshot<Snapshot>({
    root: snapshots,
    find: findCurrent,
    open: openSnapshot,
    onSwitch(opened) {
      current = opened;
      metrics?.metrics.snapshots.switched(opened.manifest);
      log.info({ snapshot: opened.id }, "working on a snapshot");
    },
    onDamaged(id, error) {
      metrics?.metrics.snapshots.damaged();
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ snapshot: id, reason }, "a snapshot cannot be used");
    },
    monotonicMs: clock.monotonicMs,
  });
  await following.start();
  const markets = new JobMarkets({
    current: () => current,
    open: (id) => openSnapshot(join(snapshots, id)),
  });
  home = openRedisHome({
    address,
    clock,
    identity: new StoreIdentity(() => {}),
    directory: undefined,
    warn: (message) => log.warn(message),
    root: snapshots,
    current: () => current?.id,
  });
  await home.whenReady(FIRST_WAIT_MS);
  const jobs = new JobService({
    home,
    threads,
    worker: BACKTEST_WORKER,
    market: (snapshotId, coin) => markets.find(snapshotId, coin),
    nowMs: clock.nowMs,
    report: (message, details) => log.error(details, message),
    observer: metrics?.metrics.jobs,
  });
  jobs.start();
  return {
    async stop() {
      following.stop();
      metrics?.close();
      await jobs.close();
    },
  };
}
