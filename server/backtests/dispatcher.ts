import { setTimeout } from "node:timers/promises";
import type { Bars } from "../../quant/bars.ts";
import type { ClaimedJob, JobError, JobOutcome } from "./job.ts";
import type { JobStore } from "./job-store.ts";
import type { BacktestPool, PoolOutcome } from "./pool.ts";

/** A job that loses its worker in so many attempts is taken to be the cause itself. */
const ATTEMPTS_MAX = 3;
/** A job that outlived no server in so many attempts is taken to be what ends them. */
const CLAIMS_MAX = 50;
/** An outcome that the store cannot take, because the disk is full, is offered again this often. */
const RETRY_MS = 1_000;

/** The columns a job runs on, and what its result says of them. */
export interface JobMarket {
  readonly bars: Bars;
  readonly snapshotId: string;
}

/** Told of the jobs this process runs, for monitoring. */
export interface JobObserver {
  begun(job: ClaimedJob): void;
  /** `again`: its worker was lost, and it waits for another; `left`: to a process that has its snapshot. */
  ended(job: ClaimedJob, outcome: JobOutcome | "again" | "left"): void;
}

export interface DispatcherOptions {
  readonly store: JobStore;
  readonly pool: BacktestPool;
  /** Columns of a coin in a snapshot; undefined when the snapshot is no longer kept. */
  readonly market: (snapshotId: string, coin: string) => Promise<JobMarket | undefined>;
  readonly nowMs: () => number;
  /** A store or worker failure that no caller sees. */
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
  readonly observer?: JobObserver | undefined;
  /** Milliseconds before an outcome is offered to the store again. */
  readonly retryMs?: number;
  /** How long to rest before a job is claimed; see `createPace`. */
  readonly restMs?: (() => number) | undefined;
}

/**
 * Keeps the worker threads busy: one claimed job a thread, the next one claimed when a thread is free.
 * Nothing is held in memory but the jobs under way; the queue is the store.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #running = new Set<Promise<void>>();
  #filling = false;
  #wanted = false;
  #closed = false;
  /** Ends the wait for a store that cannot take an outcome. */
  readonly #closing = new AbortController();

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Looks for work: after a job was accepted, and now and then for what other processes left behind. */
  wake(): void {
    this.#wanted = true;
    if (!this.#filling && !this.#closed) void this.#fill();
  }

  /** Takes no more jobs and waits for those under way; what the store cannot take now is left claimed. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.abort();
    await Promise.all(this.#running);
  }

  async #fill(): Promise<void> {
    this.#filling = true;
    try {
      while (this.#wanted && !this.#closed && this.#running.size < this.#options.pool.threads) {
        this.#wanted = false;
        await this.#rest();
        if (this.#closed) return;
        const job = await this.#options.store.claim(this.#options.nowMs());
        if (job === undefined) continue;
        this.#wanted = true;
        this.#start(job);
      }
    } catch (error) {
      this.#options.report("cannot claim a job", { error: String(error) });
    } finally {
      this.#filling = false;
    }
  }

  async #rest(): Promise<void> {
    const ms = this.#options.restMs?.() ?? 0;
    if (ms > 0) await setTimeout(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
  }

  #start(job: ClaimedJob): void {
    const run = this.#execute(job)
      .catch((error: unknown) => {
        // The claim stands; the job is queued again when this process has left.
        this.#options.report("cannot end a job", { job_id: job.id, error: String(error) });
      })
      .finally(() => {
        this.#running.delete(run);
        this.wake();
      });
    this.#running.add(run);
  }

  async #execute(job: ClaimedJob): Promise<void> {
    const { store, nowMs, observer } = this.#options;
    observer?.begun(job);
    const outcome = await this.#outcomeOf(job);
    observer?.ended(job, outcome);
    if (outcome === "left") return;
    if (outcome === "again" && this.#closed) return; // what ends with the process is found by the next
    await this.#insist(job, () =>
      outcome === "again" ? store.release(job, nowMs()) : store.finish(job, outcome, nowMs()),
    );
  }

  async #outcomeOf(job: ClaimedJob): Promise<JobOutcome | "again" | "left"> {
    if (job.attempt > CLAIMS_MAX) {
      return failed("worker_lost", `the job was begun ${CLAIMS_MAX} times and never ended`);
    }
    const found = await this.#options.market(job.snapshotId, job.request.coin);
    if (found === undefined) {
      if ((await this.#options.store.leave?.(job)) === true) {
        const details = { job_id: job.id, snapshot: job.snapshotId };
        this.#options.report("a job's snapshot cannot be opened here: left to others", details);
        return "left";
      }
      const message = `snapshot "${job.snapshotId}" is no longer kept; send the request again`;
      return failed("snapshot_gone", message);
    }
    const outcome = await this.#options.pool.run({ ...found, request: job.request });
    if (outcome.kind === "lost" && this.#closed) return "again"; // ended with the process, and no fault of the job
    return outcomeOf(this.#withoutDefect(outcome, job), job);
  }

  /** A defect is for the log; its caller is told that there was one. */
  #withoutDefect(outcome: PoolOutcome, { id, request, snapshotId }: ClaimedJob): PoolOutcome {
    if (outcome.kind !== "failed" || outcome.error.code !== "internal_error") return outcome;
    const details = { job_id: id, request, snapshot: snapshotId, error: outcome.error.message };
    this.#options.report("a backtest failed", details);
    const message = "a defect of this server; it was logged under the job's id";
    return { kind: "failed", error: { code: "internal_error", message } };
  }

  /** Writes what became of a job, however long the store takes to be able to. */
  async #insist(job: ClaimedJob, write: () => unknown): Promise<void> {
    const { report, retryMs = RETRY_MS } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        await write();
        return;
      } catch (error) {
        if (this.#closed) throw error;
        const details = { job_id: job.id, error: String(error) };
        if (attempt === 1) report("cannot end a job yet", details);
        await setTimeout(retryMs, undefined, { signal: this.#closing.signal }).catch(() => {});
      }
    }
  }
}

function failed(code: JobError["code"], message: string): JobOutcome {
  return { ok: false, error: { code, message } };
}

function outcomeOf(outcome: PoolOutcome, job: ClaimedJob): JobOutcome | "again" {
  if (outcome.kind === "result") return { ok: true, result: outcome.result };
  if (outcome.kind === "failed") return { ok: false, error: outcome.error };
  if (job.attempt < ATTEMPTS_MAX) return "again";
  const message = `the job was started ${job.attempt} times and its worker was lost: ${outcome.reason}`;
  return failed("worker_lost", message);
}
