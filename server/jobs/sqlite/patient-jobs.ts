import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "../../accounts/sqlite/state-file.ts";
import type { EmbeddedJobs } from "./embedded-jobs.ts";
import type { ClaimedJob, JobOutcome } from "../job.ts";
import type {
  JobCounts,
  JobStore,
  ReleaseReason,
  StoredJob,
  Submission,
  SubmitOutcome,
} from "../job-store.ts";
import { LoopLoad } from "../run/loop-load.ts";
import { Turns } from "../run/turns.ts";

/** Attempts made in consecutive turns of the event loop; after those, each waits a millisecond. */
const EAGER_ATTEMPTS = 20;
const RETRY_MS = 1;
/**
 * How often a change is tried at least, however long those before it have waited: some ten milliseconds, since by now
 * somebody else may have the lock, who needs no longer.
 */
const ATTEMPTS_MIN = 30;

export interface PatientJobsOptions {
  /** On a connection that does not wait for locks by itself. */
  readonly jobs: EmbeddedJobs;
  readonly monotonicMs: () => number;
  /** How long a change waits for another process's lock before it fails. */
  readonly lockWaitMs: number;
  /** Called before a job is claimed or ended, since nobody waits for that: see `createBreather`. */
  readonly breathe?: (() => void) | undefined;
}

/**
 * The embedded store for a thread that has requests to answer. If another process, or this one's
 * housekeeping, holds the file's lock, a change is tried again in later turns instead of waiting in place.
 * One submission or poll a turn, because each is a transaction of its own or reads a result of tens of
 * kilobytes.
 */
export class PatientJobs implements JobStore {
  readonly #options: PatientJobsOptions;
  readonly #submissions: Turns;
  /** Of all submissions: those behind one that waits have waited for the same lock. */
  readonly #submissionsWait: LockWait;
  readonly #finds: Turns;
  readonly #findsWait: LockWait;

  constructor(options: PatientJobsOptions) {
    this.#options = options;
    const load = new LoopLoad(options.monotonicMs);
    this.#submissions = new Turns(options.monotonicMs, load);
    this.#submissionsWait = new LockWait(options);
    this.#finds = new Turns(options.monotonicMs, load);
    this.#findsWait = new LockWait(options);
  }

  submit(submission: Submission): SubmitOutcome | Promise<SubmitOutcome> {
    const work = (jobs: EmbeddedJobs) => jobs.submit(submission);
    return this.#submissions.run(() => this.#patiently(work, this.#submissionsWait));
  }

  promise(jobId: number): boolean | Promise<boolean> {
    return this.#patiently((jobs) => jobs.promise(jobId));
  }

  withdraw(jobId: number): void | Promise<void> {
    return this.#patiently((jobs) => jobs.withdraw(jobId));
  }

  claim(nowMs: number): ClaimedJob | undefined | Promise<ClaimedJob | undefined> {
    this.#options.breathe?.();
    return this.#patiently((jobs) => jobs.claim(nowMs));
  }

  finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): boolean | Promise<boolean> {
    this.#options.breathe?.();
    return this.#patiently((jobs) => jobs.finish(job, outcome, nowMs));
  }

  release(job: ClaimedJob, why: ReleaseReason): void | Promise<void> {
    return this.#patiently((jobs) => jobs.release(job, why));
  }

  doubt(snapshotId: string): boolean {
    return this.#options.jobs.doubt(snapshotId);
  }

  find(jobId: number, accountId: string): StoredJob | undefined | Promise<StoredJob | undefined> {
    const work = (jobs: EmbeddedJobs) => jobs.find(jobId, accountId);
    return this.#finds.run(() => this.#patiently(work, this.#findsWait));
  }

  underWay(accountId: string): number | Promise<number> {
    return this.#patiently((jobs) => jobs.underWay(accountId));
  }

  counts(): JobCounts | Promise<JobCounts> {
    return this.#patiently((jobs) => jobs.counts());
  }

  recover(nowMs: number): number | Promise<number> {
    return this.#patiently((jobs) => jobs.recover(nowMs));
  }

  prune(nowMs: number): number | Promise<number> {
    return this.#patiently((jobs) => jobs.prune(nowMs));
  }

  /** At once if the lock is free, as it nearly always is. */
  #patiently<T>(
    work: (jobs: EmbeddedJobs) => T,
    wait = new LockWait(this.#options),
  ): T | Promise<T> {
    try {
      return this.#attempt(work, wait);
    } catch (error) {
      if (!isBusy(error)) throw error;
      return this.#again(work, wait);
    }
  }

  async #again<T>(work: (jobs: EmbeddedJobs) => T, wait: LockWait): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      await (attempt <= EAGER_ATTEMPTS ? nextTurn() : sleep(RETRY_MS));
      try {
        return this.#attempt(work, wait);
      } catch (error) {
        if (!isBusy(error) || (wait.isOver && attempt >= ATTEMPTS_MIN)) throw error;
      }
    }
  }

  #attempt<T>(work: (jobs: EmbeddedJobs) => T, wait: LockWait): T {
    try {
      const result = work(this.#options.jobs);
      wait.free();
      return result;
    } catch (error) {
      if (isBusy(error)) wait.taken();
      throw error;
    }
  }
}

/** How long a lock has been found taken, by one change after another. */
class LockWait {
  readonly #options: Pick<PatientJobsOptions, "monotonicMs" | "lockWaitMs">;
  #sinceMs = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(options: Pick<PatientJobsOptions, "monotonicMs" | "lockWaitMs">) {
    this.#options = options;
  }

  free(): void {
    this.#lastMs = Number.NEGATIVE_INFINITY;
  }

  taken(): void {
    const { monotonicMs, lockWaitMs } = this.#options;
    const nowMs = monotonicMs();
    if (nowMs - this.#lastMs > lockWaitMs) this.#sinceMs = nowMs; // nobody has looked for long
    this.#lastMs = nowMs;
  }

  /** Whether it was taken for as long as a change waits. */
  get isOver(): boolean {
    return this.#lastMs - this.#sinceMs >= this.#options.lockWaitMs;
  }
}
