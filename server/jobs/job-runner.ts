import { setTimeout as sleep } from "node:timers/promises";
import type { Bars } from "../../quant/bars.ts";
import { RepeatingTask } from "../../aside/repeating-task.ts";
import type { ClaimedJob, JobError, JobOutcome } from "../../accounts/jobs/job.ts";
import type { FailureLog, JobRunStore, ReleaseReason } from "../../accounts/jobs/job-store.ts";
import type { HeldSnapshots } from "./held-snapshots.ts";
import type { BacktestPool } from "./pool.ts";
import { errorOfUnopened } from "./unopened.ts";

/** A job that loses this many workers is assumed to be the cause. */
const LOSSES_MAX = 3;
/** A job claimed this often without ending is assumed to crash its servers. */
const CLAIMS_MAX = 50;
/**
/** The wait before an outcome is written again to a store that cannot accept it, for example on a full disk. */
const RETRY_MS = 1_000;
/** The interval of the store's maintenance. A lease is three times as long. */
const BEAT_MS = 2_000;
/** A backtest takes milliseconds. One that is not over by then hangs, and the next process runs it again. */
const CLOSE_GRACE_MS = 1_000;

/** Observes the jobs that this process runs, for monitoring. */
export interface JobObserver {
  begun(job: ClaimedJob): void;
  ended(job: ClaimedJob, outcome: JobOutcome | ReleaseReason): void;
}

export interface JobRunnerOptions {
  readonly store: JobRunStore;
  readonly pool: BacktestPool;
  readonly snapshots: HeldSnapshots;
  /** The prices of a coin in a snapshot. Throws if the snapshot cannot be opened here. */
  readonly market: (snapshotId: string, coin: string) => Promise<Bars>;
  readonly nowMs: () => number;
  readonly log: FailureLog;
  readonly observer?: JobObserver | undefined;
  readonly retryMs?: number;
}

/**
 * Runs the jobs of either store: keeps the worker threads busy and tends the store. Each thread has one claimed job, and
 * another is claimed when a thread is free, so only the jobs under way are in memory.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #beats: RepeatingTask;
  readonly #running = new Set<Promise<void>>();
  #filling = false;
  #wanted = false;
  #closed = false;
  /** Ends the wait for a store that cannot take an outcome. */
  readonly #closing = new AbortController();

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#beats = new RepeatingTask(
      () => this.#beat(),
      (error) => options.log.error({ error }, "the job store cannot be looked after"),
    );
  }

  /**
  /** Call it once a snapshot is loaded, or is known not to exist. */
  start(): void {
    this.#options.store.onWork?.(() => this.wake());
    this.#beats.start(BEAT_MS);
  }

  /** Call when a job waits. */
  wake(): void {
    this.#wanted = true;
    if (!this.#filling) void this.#fill();
  }

  /**
   * Claims no more jobs, ends those under way, and closes pool and store. Waiting jobs, and outcomes that the store
   * cannot accept now, are left to the next process.
   */
  async close(): Promise<void> {
    const { pool, store } = this.#options;
    this.#closed = true;
    this.#closing.abort();
    await this.#beats.stop();
    const ended = Promise.all(this.#running);
    await Promise.race([ended, sleep(CLOSE_GRACE_MS, undefined, { ref: false })]);
    await pool.close();
    await ended;
    await store.close?.();
  }

  async #beat(): Promise<void> {
    const { store, snapshots, nowMs } = this.#options;
    await snapshots.refresh();
    snapshots.missing(await store.tend(nowMs(), snapshots.held()));
    this.wake();
  }

  async #fill(): Promise<void> {
    const { store, pool, snapshots, nowMs, log } = this.#options;
    this.#filling = true;
    try {
      while (this.#wanted && this.#running.size < pool.threads) {
        this.#wanted = false;
        if (this.#closed) return;
        const job = await store.claim(nowMs(), snapshots.claimable());
        if (job === undefined) continue;
        this.#wanted = true;
        this.#start(job);
      }
    } catch (error) {
      log.error({ error: String(error) }, "cannot claim a job");
    } finally {
      this.#filling = false;
    }
  }

  #start(job: ClaimedJob): void {
    const run = this.#execute(job)
      .catch((error: unknown) => {
        // The claim stays: the job is queued again once this process is gone.
        this.#options.log.error({ job_id: job.id, error: String(error) }, "cannot end a job");
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
    const outcome = await this.#outcomeOf(job).catch((error: unknown) =>
      this.#defect(job, String(error)),
    );
    observer?.ended(job, outcome);
    const goesBack = outcome === "again" || outcome === "left";
    // A job cut off by the process's end is released by the next process.
    if (goesBack && this.#closed) return;
    await this.#insist(job, () =>
      goesBack ? store.release(job, outcome) : store.finish(job, outcome, nowMs()),
    );
  }

  async #outcomeOf(job: ClaimedJob): Promise<JobOutcome | ReleaseReason> {
    if (job.attempt > CLAIMS_MAX) {
      return failed("worker_lost", `the job was begun ${CLAIMS_MAX} times and never ended`);
    }
    const { market, snapshots, log, pool } = this.#options;
    const { snapshotId, request, kind, known } = job;
    let bars: Bars;
    try {
      bars = await market(snapshotId, request.coin);
    } catch (error) {
      const details = { job_id: job.id, snapshot: snapshotId, reason: String(error) };
      const isLeft = snapshots.doubt(snapshotId);
      log.error(
        details,
        `a job's snapshot cannot be opened here: ${isLeft ? "left to others" : "given up"}`,
      );
      return isLeft ? "left" : { ok: false, error: errorOfUnopened(snapshotId, error) };
    }
    const outcome = await pool.run({ bars, snapshotId, kind, request, known });
    // While the process closes, the lost worker is not the job's fault.
    if ("lost" in outcome) return this.#closed ? "again" : afterLoss(job, outcome.lost);
    if (outcome.ok || outcome.error.code !== "internal_error") return outcome;
    return this.#defect(job, outcome.error.message);
  }

  /** Logs a defect in full and returns an error without its details. */
  #defect({ id, kind, request, snapshotId }: ClaimedJob, error: string): JobOutcome {
    const details = { job_id: id, request, snapshot: snapshotId, error };
    this.#options.log.error(details, `a ${kind} failed`);
    return failed("internal_error", "a defect of this server; it was logged under the job's id");
  }

  /** Writes an outcome, however long it takes until the store accepts it. */
  async #insist(job: ClaimedJob, write: () => unknown): Promise<void> {
    const { log, retryMs = RETRY_MS } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        await write();
        return;
      } catch (error) {
        if (this.#closed) throw error;
        const details = { job_id: job.id, error: String(error) };
        if (attempt === 1) log.error(details, "cannot end a job yet");
        await sleep(retryMs, undefined, { signal: this.#closing.signal }).catch(() => {});
      }
    }
  }
}

function failed(code: JobError["code"], message: string): JobOutcome {
  return { ok: false, error: { code, message } };
}

function afterLoss(job: ClaimedJob, reason: string): JobOutcome | "again" {
  const losses = job.losses + 1;
  if (losses < LOSSES_MAX) return "again";
  return failed("worker_lost", `the job lost its worker ${losses} times: ${reason}`);
}
