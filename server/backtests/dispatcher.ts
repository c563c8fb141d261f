import type { Bars } from "../../quant/bars.ts";
import type { ClaimedJob, JobOutcome } from "./job.ts";
import type { JobStore } from "./job-store.ts";
import type { BacktestPool, PoolOutcome } from "./pool.ts";

/** After so many lost workers the job itself is taken to be the cause. */
const ATTEMPTS_MAX = 3;

/** The columns a job runs on, and what its result says of them. */
export interface JobMarket {
  readonly bars: Bars;
  readonly snapshotId: string;
}

export interface DispatcherOptions {
  readonly store: JobStore;
  readonly pool: BacktestPool;
  /** Columns of a coin in a snapshot; undefined when the snapshot is no longer kept. */
  readonly market: (snapshotId: string, coin: string) => Promise<JobMarket | undefined>;
  readonly nowMs: () => number;
  /** A store or worker failure that no caller sees. */
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
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

  /** Takes no more jobs and waits for those under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#running);
  }

  async #fill(): Promise<void> {
    this.#filling = true;
    try {
      while (this.#wanted && !this.#closed && this.#running.size < this.#options.pool.threads) {
        this.#wanted = false;
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

  #start(job: ClaimedJob): void {
    const run = this.#execute(job)
      .catch((error: unknown) => {
        // The claim stands; the job is queued again when this process is seen to be gone or restarts.
        this.#options.report("cannot end a job", { job_id: job.id, error: String(error) });
      })
      .finally(() => {
        this.#running.delete(run);
        this.wake();
      });
    this.#running.add(run);
  }

  async #execute(job: ClaimedJob): Promise<void> {
    const { store, pool, market, nowMs } = this.#options;
    const found = await market(job.snapshotId, job.request.coin);
    if (found === undefined) {
      const message = `snapshot "${job.snapshotId}" is no longer kept; send the request again`;
      await store.finish(job, { ok: false, error: { code: "snapshot_gone", message } }, nowMs());
      return;
    }
    const outcome = outcomeOf(await pool.run({ ...found, request: job.request }), job);
    if (outcome === "again" && this.#closed) return; // what ends with the process is found by the next
    if (outcome === "again") await store.release(job, nowMs());
    else await store.finish(job, outcome, nowMs());
  }
}

function outcomeOf(outcome: PoolOutcome, job: ClaimedJob): JobOutcome | "again" {
  if (outcome.kind === "result") return { ok: true, result: outcome.result };
  if (outcome.kind === "failed") return { ok: false, error: outcome.error };
  if (job.attempt < ATTEMPTS_MAX) return "again";
  const message = `the worker was lost ${ATTEMPTS_MAX} times: ${outcome.reason}`;
  return { ok: false, error: { code: "worker_lost", message } };
}
