import { openStateFile } from "../accounts/embedded/state-file.ts";
import { AccountsUnavailable } from "../accounts/accounts.ts";
import type { EmbeddedAccounts } from "../accounts/embedded/embedded-accounts.ts";
import { Dispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { DurableLog } from "./durable-log.ts";
import { EmbeddedJobs } from "./embedded-jobs.ts";
import type { StoredJob, Submission, SubmitOutcome } from "./job-store.ts";
import { createBacktestPool } from "./pool.ts";

const HEARTBEAT_MS = 2_000;
const PRUNE_EVERY = 30; // heartbeats: once a minute
const BUSY_MS = 250;

export interface JobServiceOptions extends Pick<DispatcherOptions, "market" | "nowMs" | "report"> {
  readonly stateFile: string;
  readonly accounts: EmbeddedAccounts;
  readonly threads: number;
  /** The built worker file. */
  readonly worker: URL;
}

/**
 * Backtest jobs of a server on the embedded store: takes them in, keeps the worker threads busy, looks
 * after what other processes left behind, and forgets what is old.
 */
export class JobService {
  readonly #store: EmbeddedJobs;
  readonly #dispatcher: Dispatcher;
  readonly #pool;
  readonly #log: DurableLog;
  readonly #db;
  readonly #timer: NodeJS.Timeout;
  readonly #options: JobServiceOptions;
  #beats = 0;

  constructor(options: JobServiceOptions) {
    const { stateFile, accounts, threads, worker, nowMs } = options;
    this.#options = options;
    this.#db = openStateFile(stateFile, { busyMs: BUSY_MS });
    this.#log = new DurableLog(stateFile);
    const ledger = accounts.ledgerOn(this.#db);
    this.#store = new EmbeddedJobs({ db: this.#db, ledger, nowMs, isAlive, pid: process.pid });
    this.#pool = createBacktestPool({ worker, threads });
    this.#dispatcher = new Dispatcher({ ...options, store: this.#store, pool: this.#pool });
    this.#timer = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#timer.unref();
    this.#dispatcher.wake();
  }

  /** Takes a job in; resolves when it is on the disk. */
  async submit(submission: Submission): Promise<SubmitOutcome> {
    const outcome = this.#store.submit(submission);
    if (outcome.kind !== "accepted") return outcome;
    this.#dispatcher.wake();
    try {
      await this.#log.sync();
    } catch (error) {
      throw new AccountsUnavailable("the job could not be forced to the disk", { cause: error });
    }
    return outcome;
  }

  find(jobId: number, accountId: string): StoredJob | undefined {
    return this.#store.find(jobId, accountId);
  }

  /** Ends the jobs under way and lets everything go; what waits is found by the next process. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#dispatcher.close();
    await this.#pool.close();
    await this.#log.close();
    this.#store.close();
    this.#db.close();
  }

  #beat(): void {
    const { nowMs, report } = this.#options;
    try {
      this.#store.heartbeat(nowMs());
      this.#store.recover(nowMs());
      if (this.#beats++ % PRUNE_EVERY === 0) this.#store.prune(nowMs());
      this.#dispatcher.wake();
    } catch (error) {
      report("the job store cannot be looked after", { error: String(error) });
    }
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
