import { setTimeout as sleep } from "node:timers/promises";
import { Heartbeat } from "../heartbeat.ts";
import type { JobRunStore } from "../job-store.ts";
import { Dispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { createBacktestPool, type BacktestPool, type PoolOptions } from "./pool.ts";

const PRUNE_EVERY = 30; // heartbeats, which makes it once a minute
/** A backtest takes milliseconds. One that is not over by then hangs and is left to the next process. */
const CLOSE_GRACE_MS = 1_000;

export interface JobRunnerOptions
  extends
    Pick<DispatcherOptions, "market" | "nowMs" | "log" | "observer">,
    Pick<PoolOptions, "worker" | "threads" | "onNoThreads"> {
  readonly store: JobRunStore;
}

/**
 * Runs backtest jobs, whichever store they are in: keeps the worker threads busy, takes care of what other
 * processes left behind, and forgets what is old.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #pool: BacktestPool;
  readonly #dispatcher: Dispatcher;
  readonly #heartbeat: Heartbeat;
  #beatsToPrune = 0;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#pool = createBacktestPool(options);
    this.#dispatcher = new Dispatcher({ ...options, pool: this.#pool });
    this.#heartbeat = new Heartbeat(() => this.#beat(), options.log);
  }

  /**
   * Begins with the jobs that wait. Call it once there is a snapshot to run them on, or none is to be had.
   */
  start(): void {
    this.#options.store.onWork?.(() => this.wake());
    this.#heartbeat.start();
  }

  /** Call when a job waits. */
  wake(): void {
    this.#dispatcher.wake();
  }

  /** Ends the jobs under way and closes everything. Jobs still waiting are found by the next process. */
  async close(): Promise<void> {
    await this.#heartbeat.stop();
    const ended = this.#dispatcher.close();
    await Promise.race([ended, sleep(CLOSE_GRACE_MS, undefined, { ref: false })]);
    await this.#pool.close();
    await ended;
    await this.#options.store.close();
  }

  async #beat(): Promise<void> {
    const { store, nowMs } = this.#options;
    await store.recover(nowMs());
    this.wake();
    if (this.#beatsToPrune-- > 0) return;
    const gone = await store.prune(nowMs());
    this.#beatsToPrune = gone > 0 ? 0 : PRUNE_EVERY; // the rest goes at the next beat
  }
}
