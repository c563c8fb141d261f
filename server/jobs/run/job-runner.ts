import { setTimeout as sleep } from "node:timers/promises";
import { Dispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { JobHome } from "../job-store.ts";
import { createPatientPool } from "./patient-pool.ts";
import { createBacktestPool, type BacktestPool } from "./pool.ts";
import type { BacktestTask } from "./task.ts";
import { warmUp } from "./warm-up.ts";

/** These threads are seldom needed, so they give their memory back when idle. */
const INSISTING_IDLE_MS = 60_000;
/** How long after the start the threads are warmed: the first requests come first. */
const WARM_UP_AFTER_MS = 100;
const PRUNE_EVERY = 30; // heartbeats, which makes it once a minute
/** A backtest takes milliseconds. One that is not over by then hangs and is left to the next process. */
const CLOSE_GRACE_MS = 1_000;

export interface JobRunnerOptions extends Pick<
  DispatcherOptions,
  "market" | "nowMs" | "report" | "observer" | "restMs"
> {
  readonly home: JobHome;
  /** The instant that retention goes by: see `RetentionClock`. */
  readonly retentionMs: () => number | undefined;
  /** How many jobs this process runs at once. */
  readonly threads: number;
  /** The built worker file. */
  readonly worker: URL;
  /** Called if the system starts no thread: this process can run no job, and its jobs go back when it is closed. */
  readonly onNoThreads?: (error: unknown) => void;
  /** Runs that warm the threads before the first job. */
  readonly warmUpTasks?: () => readonly BacktestTask[];
}

/**
 * Runs backtest jobs, whichever store they are in: keeps the worker threads busy, takes care of what other
 * processes left behind, and forgets what is old. The processes that answer requests take the jobs in
 * (`JobDesk`).
 */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #pool: BacktestPool;
  /** The part of the pool that is warmed; the other part starts only when it is needed. */
  readonly #yielding: BacktestPool;
  readonly #dispatcher: Dispatcher;
  readonly #heartbeat: Heartbeat;
  #warming: NodeJS.Timeout | undefined;
  #beatsToPrune = 0;
  #closing = false;

  constructor(options: JobRunnerOptions) {
    const { home, threads, worker, report, onNoThreads } = options;
    this.#options = options;
    let hasThreads = true;
    const own = {
      worker,
      threads,
      report,
      // Two pools may find out.
      onNoThreads(error: unknown) {
        if (hasThreads) onNoThreads?.(error);
        hasThreads = false;
      },
    };
    this.#yielding = createBacktestPool({ ...own, givesWay: true });
    this.#pool = createPatientPool({
      yielding: this.#yielding,
      insisting: createBacktestPool({ ...own, idleMs: INSISTING_IDLE_MS }),
      monotonicMs: () => performance.now(),
    });
    this.#dispatcher = new Dispatcher({ ...options, store: home, pool: this.#pool });
    this.#heartbeat = new Heartbeat({ beat: () => this.#beat(), report });
  }

  /**
   * Begins with the jobs that wait. Call it once there is a snapshot to run them on, or none is to be had.
   */
  start(): void {
    this.#options.home.onWork?.(() => this.wake());
    this.#heartbeat.start();
    this.#warming ??= setTimeout(() => void this.#warmUp(), WARM_UP_AFTER_MS).unref();
  }

  /** Call when a job waits. */
  wake(): void {
    this.#dispatcher.wake();
  }

  /** Ends the jobs under way and closes everything. Jobs still waiting are found by the next process. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#warming);
    await this.#heartbeat.stop();
    const ended = this.#dispatcher.close();
    await Promise.race([ended, sleep(CLOSE_GRACE_MS, undefined, { ref: false })]);
    await this.#pool.close();
    await ended;
    await this.#options.home.close();
  }

  async #warmUp(): Promise<void> {
    const tasks = this.#options.warmUpTasks?.() ?? [];
    await warmUp(this.#yielding, tasks, () => this.#dispatcher.running === 0 && !this.#closing);
  }

  async #beat(): Promise<void> {
    const { home, nowMs, retentionMs } = this.#options;
    await home.recover(nowMs());
    this.wake();
    const keptToMs = retentionMs();
    if (keptToMs === undefined || this.#beatsToPrune-- > 0) return;
    const gone = await home.prune(keptToMs);
    this.#beatsToPrune = gone > 0 ? 0 : PRUNE_EVERY; // the rest goes at the next beat
  }
}
