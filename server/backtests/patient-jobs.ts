import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "../accounts/embedded/state-file.ts";
import type { EmbeddedJobs } from "./embedded-jobs.ts";
import type { ClaimedJob, JobOutcome } from "./job.ts";
import type {
  JobCounts,
  JobStore,
  ReleaseReason,
  StoredJob,
  Submission,
  SubmitOutcome,
} from "./job-store.ts";
import { LoopLoad } from "./loop-load.ts";
import { Turns } from "./turns.ts";

/** Attempts made in consecutive turns of the event loop; after those, each waits a millisecond. */
const EAGER_ATTEMPTS = 20;
const RETRY_MS = 1;

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
  readonly #finds: Turns;

  constructor(options: PatientJobsOptions) {
    this.#options = options;
    const load = new LoopLoad(options.monotonicMs);
    this.#submissions = new Turns(options.monotonicMs, load);
    this.#finds = new Turns(options.monotonicMs, load);
  }

  submit(submission: Submission): SubmitOutcome | Promise<SubmitOutcome> {
    return this.#submissions.run(() => this.#patiently((jobs) => jobs.submit(submission)));
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
    return this.#finds.run(() => this.#patiently((jobs) => jobs.find(jobId, accountId)));
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
  #patiently<T>(work: (jobs: EmbeddedJobs) => T): T | Promise<T> {
    try {
      return work(this.#options.jobs);
    } catch (error) {
      if (!isBusy(error)) throw error;
      return this.#again(work);
    }
  }

  async #again<T>(work: (jobs: EmbeddedJobs) => T): Promise<T> {
    const { jobs, monotonicMs, lockWaitMs } = this.#options;
    const giveUpAt = monotonicMs() + lockWaitMs;
    for (let attempt = 1; ; attempt++) {
      await (attempt <= EAGER_ATTEMPTS ? nextTurn() : sleep(RETRY_MS));
      try {
        return work(jobs);
      } catch (error) {
        if (!isBusy(error) || monotonicMs() >= giveUpAt) throw error;
      }
    }
  }
}
