/**
 * The program that runs backtests, as `main.ts` is the one that answers requests: puts together the job store, the prices
 * of snapshots, the threads and the metrics, and follows what is published.
 */
import { join } from "node:path";
import type { Logger } from "pino";
import { findCurrent } from "../../snapshots/folder.ts";
import { openPrices, type SnapshotPrices } from "../../snapshots/price-reader.ts";
import type { AccountsClock } from "../accounts/clock.ts";
import { CurrentSnapshot } from "../snapshots/current-snapshot.ts";
import type { MetricValues } from "../metrics/metric.ts";
import type { ProcessMetrics } from "../metrics/process-metrics.ts";
import { openWorkerMetrics, type OpenedMetrics } from "../metrics/open-metrics.ts";
import { RetentionClock } from "./retention-clock.ts";
import { isRedisAddress } from "../redis/address.ts";
import type { MetricsOptions } from "../server-options.ts";
import { createBreather } from "../jobs/run/breather.ts";
import { openEmbeddedHome } from "../jobs/sqlite/embedded-home.ts";
import { HeldSnapshots } from "../jobs/run/held-snapshots.ts";
import { JobMarkets } from "../jobs/run/job-markets.ts";
import { JobRunner } from "../jobs/run/job-runner.ts";
import type { JobHome } from "../jobs/job-store.ts";
import { createPace } from "../jobs/run/pace.ts";
import { warmUpTasks } from "../jobs/run/warm-up.ts";
import { BACKTEST_WORKER } from "../jobs/run/worker-file.ts";

export interface JobWorkerOptions {
  /** Where the jobs are: the path of a state file, or the address of a Redis. */
  readonly state: string;
  /** The folder of published snapshots: this machine's own copy, or a shared one. */
  readonly snapshots: string;
  readonly threads: number;
  readonly clock: AccountsClock;
  readonly log: Logger;
  /** Where Prometheus reads this process; "unserved" if another process asks it; undefined for nowhere. */
  readonly metrics?: MetricsOptions | "unserved" | undefined;
  /** The package's version, for the metrics. */
  readonly version: string;
  /** Which of a server's processes this is, for the metrics. */
  readonly process?: string | undefined;
  /** Called when this process can run no backtest any more: stop it, and start another. */
  readonly onUseless: () => void;
}

export interface JobWorker {
  /** Call when a job waits. */
  wake(): void;
  /** Every number it reports about itself; empty if it was told not to. */
  metrics(): Promise<readonly MetricValues[]>;
  /** Ends what is under way or puts it back, and closes everything. */
  stop(): Promise<void>;
}

const NO_THREADS =
  "the system starts no thread for backtests: raise its limit of processes and threads, of open files, or of memory; this process ends, and its jobs go back";

/** Whoever starts this process looks for that each second (`leaveRemovedFolder`), and a thread was wanted before that. */
const FOLDER_GONE =
  "no thread starts for backtests, because the folder this process was started in is gone; this process ends, and its jobs go back";

/** How long to wait for Redis before the start. After that the worker begins and keeps trying. */
const FIRST_WAIT_MS = 3_000;

/**
 * Runs backtests that servers took in, without answering requests. Waits for Redis and for snapshots as long
 * as it takes.
 */
export async function startJobWorker(options: JobWorkerOptions): Promise<JobWorker> {
  const { snapshots, threads, clock, log } = options;
  let current: SnapshotPrices | undefined;
  let home: JobHome | undefined;
  const metrics = await openWorkerMetrics({
    ...options,
    jobs: () => home?.counts() ?? Promise.reject(new Error("the jobs are not open yet")),
  });
  const following = followPrices(options, metrics, (opened) => {
    current = opened;
  });
  await following.start();
  const markets = new JobMarkets({
    current: () => current,
    open: (id) => openPrices(join(snapshots, id)),
  });
  const held = new HeldSnapshots({
    root: snapshots,
    current: () => current?.id,
    monotonicMs: clock.monotonicMs,
    warn: (message) => log.warn(message),
  });
  home = await openHome(options, held);
  const retention = new RetentionClock(clock);
  const jobs = new JobRunner({
    home,
    threads,
    worker: BACKTEST_WORKER,
    market: (snapshotId, coin) => markets.find(snapshotId, coin),
    warmUpTasks: () => warmUpTasks(current),
    nowMs: clock.nowMs,
    retentionMs: () => retention.readMs(),
    restMs: createPace(clock.monotonicMs),
    onNoThreads(error) {
      const reason = String(error);
      log.error({ error: reason }, reason.includes("uv_cwd") ? FOLDER_GONE : NO_THREADS);
      options.onUseless();
    },
    report: (message, details) => log.error(details, message),
    observer: metrics?.metrics.jobs,
  });
  jobs.start();
  if (metrics?.url !== undefined) log.info({ metrics: metrics.url }, "metrics are served");
  return {
    wake: () => jobs.wake(),
    metrics: async () => (await metrics?.values()) ?? [],
    async stop() {
      following.stop();
      metrics?.close();
      await jobs.close();
    },
  };
}

function followPrices(
  { snapshots, clock, log }: JobWorkerOptions,
  metrics: OpenedMetrics<ProcessMetrics> | undefined,
  onSwitch: (opened: SnapshotPrices) => void,
): CurrentSnapshot<SnapshotPrices> {
  return new CurrentSnapshot<SnapshotPrices>({
    root: snapshots,
    find: findCurrent,
    open: openPrices,
    onSwitch(opened) {
      onSwitch(opened);
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
}

async function openHome(
  { state, clock, log }: JobWorkerOptions,
  snapshots: HeldSnapshots,
): Promise<JobHome> {
  const { monotonicMs } = clock;
  if (!isRedisAddress(state)) {
    const report = (message: string, details: object) => log.error(details, message);
    const own = { snapshots, monotonicMs, report, breathe: createBreather(monotonicMs) };
    return openEmbeddedHome({ stateFile: state, accounts: undefined, ...own });
  }
  // Imported only here, because loading the client would be a large part of a start that does not need it.
  const [{ StoreIdentity }, { openRedisHome }] = await Promise.all([
    import("../accounts/redis/store-identity.ts"),
    import("../jobs/redis/redis-home.ts"),
  ]);
  const home = openRedisHome({
    address: state,
    clock,
    identity: new StoreIdentity(() => {}),
    directory: undefined,
    warn: (message) => log.warn(message),
    snapshots,
  });
  await home.whenReady(FIRST_WAIT_MS);
  return home;
}
