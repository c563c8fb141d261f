import { setTimeout as setTimer } from "node:timers";
import { setTimeout } from "node:timers/promises";
import { Dispatcher, type DispatcherOptions } from "./dispatcher.ts";
import type { JobCounts, JobHome, JobStore, Submission, SubmitOutcome } from "./job-store.ts";
import { createPatientPool } from "./patient-pool.ts";
import { createBacktestPool, type BacktestPool } from "./pool.ts";
import type { BacktestTask } from "./task.ts";
import { warmUp } from "./warm-up.ts";

/** Threads that are seldom needed give their memory back. */
const INSISTING_IDLE_MS = 60_000;
const HEARTBEAT_MS = 2_000;
/** The threads are warmed behind the start: the first requests come before them. */
const WARM_UP_AFTER_MS = 100;
const PRUNE_EVERY = 30; // heartbeats: once a minute
/** A backtest takes milliseconds: what is not over by then hangs, and is left to the next process. */
const CLOSE_GRACE_MS = 1_000;

export interface JobServiceOptions extends Pick<
  DispatcherOptions,
  "market" | "nowMs" | "report" | "observer"
> {
  readonly home: JobHome;
  /** Jobs this process runs at once; 0 where others run them. */
  readonly threads: number;
  /** The built worker file. */
  readonly worker: URL;
  /** Runs that warm the threads before the first job. */
  readonly warmUpTasks?: () => readonly BacktestTask[];
}

interface Running {
  readonly pool: BacktestPool;
  /** The part of the pool that is warmed: the other only starts when it is needed. */
  readonly yielding: BacktestPool;
  readonly dispatcher: Dispatcher;
}

/**
 * Backtest jobs of a process, wherever they are kept: takes them in, keeps the worker threads busy, looks
 * after what other processes left behind, and forgets what is old.
 */
export class JobService {
  readonly #options: JobServiceOptions;
  /** Undefined where this process runs none. */
  readonly #running: Running | undefined;
  #timer: NodeJS.Timeout | undefined;
  #warming: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #beatsToPrune = 0;
  #unreachable = false;
  #closing = false;

  constructor(options: JobServiceOptions) {
    const { home, threads, worker, report } = options;
    this.#options = options;
    if (threads > 0) {
      const yielding = createBacktestPool({ worker, threads, report, givesWay: true });
      const insisting = createBacktestPool({ worker, threads, report, idleMs: INSISTING_IDLE_MS });
      const pool = createPatientPool({ yielding, insisting, monotonicMs: () => performance.now() });
      const dispatcher = new Dispatcher({ ...options, store: home, pool });
      this.#running = { pool, yielding, dispatcher };
    }
  }

  /** Begins with the jobs that wait: once there is a snapshot to run them on, or none to be had. */
  start(): void {
    this.#timer ??= setInterval(() => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
      });
    }, HEARTBEAT_MS).unref();
    if (this.#running !== undefined) this.#options.home.onWork?.(() => this.#wake());
    this.#wake();
    this.#warming ??= setTimer(() => void this.#warmUp(), WARM_UP_AFTER_MS).unref();
  }

  /** Takes a job in; resolves when it is as durable as the store makes it. */
  async submit(submission: Submission): Promise<SubmitOutcome> {
    const { home } = this.#options;
    const outcome = await home.submit(submission);
    if (outcome.kind === "accepted") this.#wake();
    await home.secure(outcome);
    return outcome;
  }

  find(...asked: Parameters<JobStore["find"]>): ReturnType<JobStore["find"]> {
    return this.#options.home.find(...asked);
  }

  underWay(...asked: Parameters<JobStore["underWay"]>): ReturnType<JobStore["underWay"]> {
    return this.#options.home.underWay(...asked);
  }

  counts(): JobCounts | Promise<JobCounts> {
    return this.#options.home.counts();
  }

  /** Ends the jobs under way and lets everything go; what waits is found by the next process. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#timer);
    clearTimeout(this.#warming);
    await this.#beating;
    await this.#stopRunning();
    await this.#options.home.close();
  }

  async #stopRunning(): Promise<void> {
    if (this.#running === undefined) return;
    const { dispatcher, pool } = this.#running;
    const ended = dispatcher.close();
    await Promise.race([ended, setTimeout(CLOSE_GRACE_MS, undefined, { ref: false })]);
    await pool.close();
    await ended;
  }

  async #warmUp(): Promise<void> {
    if (this.#running === undefined) return;
    const { dispatcher, yielding } = this.#running;
    const tasks = this.#options.warmUpTasks?.() ?? [];
    await warmUp(yielding, tasks, () => dispatcher.running === 0 && !this.#closing);
  }

  #wake(): void {
    this.#running?.dispatcher.wake();
  }

  async #beat(): Promise<void> {
    const { home, nowMs, report } = this.#options;
    try {
      await home.recover(nowMs());
      if (this.#beatsToPrune-- <= 0) {
        const gone = await home.prune(nowMs());
        this.#beatsToPrune = gone > 0 ? 0 : PRUNE_EVERY; // what is left goes at the next
      }
      this.#unreachable = false;
      this.#wake();
    } catch (error) {
      // Said once for each outage, not at every beat.
      if (!this.#unreachable)
        report("the job store cannot be looked after", { error: String(error) });
      this.#unreachable = true;
    }
  }
}
