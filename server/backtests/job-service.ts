import { setTimeout } from "node:timers/promises";
import { openStateFile, type Connection } from "../accounts/embedded/state-file.ts";
import { AccountsUnavailable } from "../accounts/accounts.ts";
import type { EmbeddedAccounts } from "../accounts/embedded/embedded-accounts.ts";
import { Dispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { DurableLog } from "./durable-log.ts";
import { EmbeddedJobs } from "./embedded-jobs.ts";
import type { StoredJob, Submission, SubmitOutcome } from "./job-store.ts";
import { PatientJobs } from "./patient-jobs.ts";
import { createBacktestPool } from "./pool.ts";

const HEARTBEAT_MS = 2_000;
const PRUNE_EVERY = 30; // heartbeats: once a minute
/** How long another process's lock is waited for in place: only while starting and stopping. */
const OPEN_WAIT_MS = 5_000;
/** And in later turns of the event loop, while requests are answered. */
const LOCK_WAIT_MS = 2_000;
/** A backtest takes milliseconds: what is not over by then hangs, and is left to the next process. */
const CLOSE_GRACE_MS = 1_000;

export interface JobServiceOptions extends Pick<DispatcherOptions, "market" | "nowMs" | "report"> {
  readonly stateFile: string;
  readonly accounts: EmbeddedAccounts;
  readonly monotonicMs: () => number;
  readonly threads: number;
  /** The built worker file. */
  readonly worker: URL;
}

/**
 * Backtest jobs of a server on the embedded store: takes them in, keeps the worker threads busy, looks
 * after what other processes left behind, and forgets what is old.
 */
export class JobService {
  readonly #embedded: EmbeddedJobs;
  readonly #store: PatientJobs;
  readonly #dispatcher: Dispatcher;
  readonly #pool;
  readonly #log: DurableLog;
  readonly #db: Connection;
  readonly #options: JobServiceOptions;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #beatsToPrune = 0;

  constructor(options: JobServiceOptions) {
    const { stateFile, accounts, threads, worker, nowMs, monotonicMs, report } = options;
    this.#options = options;
    this.#db = openStateFile(stateFile, { busyMs: OPEN_WAIT_MS });
    this.#log = new DurableLog(stateFile);
    const ledger = accounts.ledgerOn(this.#db);
    const { pid } = process;
    this.#embedded = new EmbeddedJobs({ db: this.#db, ledger, nowMs, isAlive, pid });
    this.#waitInPlace(0);
    const jobs = this.#embedded;
    this.#store = new PatientJobs({ jobs, monotonicMs, lockWaitMs: LOCK_WAIT_MS });
    this.#pool = createBacktestPool({ worker, threads, report });
    this.#dispatcher = new Dispatcher({ ...options, store: this.#store, pool: this.#pool });
  }

  /** Begins with the jobs that wait: once there is a snapshot to run them on, or none to be had. */
  start(): void {
    this.#timer ??= setInterval(() => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
      });
    }, HEARTBEAT_MS).unref();
    this.#dispatcher.wake();
  }

  /** Takes a job in; resolves when it is on the disk. */
  async submit(submission: Submission): Promise<SubmitOutcome> {
    const outcome = await this.#store.submit(submission);
    // A repeat promises the same job, whose own force to the disk may be under way.
    if (outcome.kind !== "accepted" && outcome.kind !== "repeated") return outcome;
    this.#dispatcher.wake();
    try {
      await this.#log.sync();
    } catch (error) {
      if (outcome.kind === "accepted") await this.#withdraw(outcome.jobId);
      throw new AccountsUnavailable("the job could not be forced to the disk", { cause: error });
    }
    return outcome;
  }

  find(jobId: number, accountId: string): StoredJob | undefined | Promise<StoredJob | undefined> {
    return this.#store.find(jobId, accountId);
  }

  underWay(accountId: string): number | Promise<number> {
    return this.#store.underWay(accountId);
  }

  /** Ends the jobs under way and lets everything go; what waits is found by the next process. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    const ended = this.#dispatcher.close();
    await Promise.race([ended, setTimeout(CLOSE_GRACE_MS, undefined, { ref: false })]);
    await this.#pool.close();
    await ended;
    await this.#log.close();
    this.#waitInPlace(OPEN_WAIT_MS);
    this.#embedded.close();
    this.#db.close();
  }

  async #withdraw(jobId: number): Promise<void> {
    try {
      await this.#store.withdraw(jobId);
    } catch (error) {
      const details = { job_id: jobId, error: String(error) };
      this.#options.report("a job that was refused stays in the queue", details);
    }
  }

  async #beat(): Promise<void> {
    const { nowMs, report } = this.#options;
    try {
      await this.#store.recover(nowMs());
      if (this.#beatsToPrune-- <= 0) {
        const gone = await this.#store.prune(nowMs());
        this.#beatsToPrune = gone > 0 ? 0 : PRUNE_EVERY; // what is left goes at the next
      }
      this.#dispatcher.wake();
    } catch (error) {
      report("the job store cannot be looked after", { error: String(error) });
    }
  }

  #waitInPlace(ms: number): void {
    this.#db.exec(`PRAGMA busy_timeout = ${ms}`);
  }
}

/** Whether a process of this machine is there; one that may not be signalled is. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
