/**
 * The program that runs backtests, as `main.ts` is the one that answers requests. It puts together the job store, the
 * prices of snapshots, the threads and the metrics, and follows the published snapshots.
 */
import { join } from "node:path";
import type { Logger } from "pino";
import { findCurrent } from "../../snapshots/folder.ts";
import { openPrices, type SnapshotPrices } from "../../snapshots/price-reader.ts";
import type { AccountsClock } from "../../accounts/accounts.ts";
import type { JobCounts, JobReadiness, JobRunStore } from "../../accounts/jobs/job-store.ts";
import { HeldSnapshots } from "../jobs/held-snapshots.ts";
import { jobMarkets } from "../jobs/job-markets.ts";
import { JobRunner } from "../jobs/job-runner.ts";
import { BACKTEST_WORKER, createBacktestPool } from "../jobs/pool.ts";
import { servedJobs } from "../jobs/served-jobs.ts";
import type { ProcessMetrics } from "../metrics/process-metrics.ts";
import { isRedisAddress } from "../../accounts/redis/address.ts";
import { CurrentSnapshot } from "../snapshots/current-snapshot.ts";
import type { Channel } from "../../aside/channel.ts";

export interface JobWorkerOptions {
  /** Where the jobs are: the address of a Redis, or the path of a state file, which the server has open. */
  readonly state: string;
  /** The server that started this process, if one did. */
  readonly server?: Channel | undefined;
  /** The folder of published snapshots: this machine's own copy, or a shared one. */
  readonly snapshots: string;
  readonly threads: number;
  readonly clock: AccountsClock;
  readonly log: Logger;
  readonly metrics: Pick<ProcessMetrics, "jobs" | "snapshots">;
}

export interface JobWorker {
  /** Call when a job waits. */
  wake(): void;
  counts(): JobCounts | Promise<JobCounts>;
  readiness(): JobReadiness;
  /** Finishes the jobs under way or puts them back, and closes everything. */
  stop(): Promise<void>;
}

const NO_THREADS =
  "the system starts no thread for backtests: raise its limit of processes and threads, of open files, or of memory; this process ends, and its jobs go back";

/** How long to wait for Redis before the start fails. */
const FIRST_WAIT_MS = 3_000;

/** Runs the backtests that servers accept. Fails if Redis is out of reach, but waits for a snapshot for as long as it takes. */
export async function workOnJobs(options: JobWorkerOptions): Promise<JobWorker> {
  const { snapshots, threads, clock, log, metrics } = options;
  let current: SnapshotPrices | undefined;
  const following = followPrices(options, (opened) => {
    current = opened;
  });
  metrics.snapshots.isRefused = () => following.isRefused;
  await following.start();
  const held = new HeldSnapshots({
    root: snapshots,
    current: () => current?.id,
    monotonicMs: clock.monotonicMs,
    warn: (message) => log.warn(message),
  });
  const store = isRedisAddress(options.state)
    ? await openRedisJobs(options)
    : servedJobs(async (...call) => await options.server?.call(...call));
  const pool = createBacktestPool({
    threads,
    worker: BACKTEST_WORKER,
    onNoThreads(error) {
      log.fatal({ error: String(error) }, NO_THREADS);
      process.exit(1);
    },
    log,
  });
  const jobs = new JobRunner({
    store,
    pool,
    snapshots: held,
    market: jobMarkets(
      () => current,
      (id) => openPrices(join(snapshots, id)),
    ),
    nowMs: clock.nowMs,
    log,
    observer: metrics.jobs,
  });
  jobs.start();
  return {
    wake: () => jobs.wake(),
    counts: () => store.counts(),
    readiness: () => ({ holds: current?.id, isRefused: following.isRefused }),
    async stop() {
      following.stop();
      await jobs.close();
    },
  };
}

function followPrices(
  { snapshots, clock, log, metrics }: JobWorkerOptions,
  onSwitch: (opened: SnapshotPrices) => void,
): CurrentSnapshot {
  return new CurrentSnapshot({
    root: snapshots,
    find: findCurrent,
    async use(dir) {
      const opened = await openPrices(dir);
      onSwitch(opened);
      metrics.snapshots.switched(opened.manifest);
      log.info({ snapshot: opened.id }, "working on a snapshot");
    },
    onDamaged(id, reason) {
      metrics.snapshots.damaged();
      log.error({ snapshot: id, reason }, "a snapshot cannot be used");
    },
    monotonicMs: clock.monotonicMs,
  });
}

async function openRedisJobs({ state, clock, log }: JobWorkerOptions): Promise<JobRunStore> {
  // Imported only here, because loading the client would be a large part of a start that does not need it.
  const [{ StoreIdentity }, { RedisJobRuns }] = await Promise.all([
    import("../../accounts/redis/store-identity.ts"),
    import("../../accounts/jobs/redis/redis-job-runs.ts"),
  ]);
  const jobs = new RedisJobRuns({
    address: state,
    monotonicMs: clock.monotonicMs,
    identity: new StoreIdentity(() => {}),
    warn: (message) => log.warn(message),
  });
  await jobs.whenReady(FIRST_WAIT_MS);
  try {
    await jobs.counts();
  } catch (error) {
    await jobs.close();
    throw error;
  }
  return jobs;
}
