import { AccountsUnavailable } from "../accounts/accounts.ts";
import { sqliteCode } from "../accounts/embedded/state-file.ts";
import type { EmbeddedJobs } from "./embedded-jobs.ts";
import type { ClaimedJob, JobOutcome } from "./job.ts";
import type { JobCounts, JobStore, StoredJob, Submission, SubmitOutcome } from "./job-store.ts";

/** Attempts that follow in the next turns of the event loop; later ones wait a millisecond each. */
const EAGER_ATTEMPTS = 20;
const RETRY_MS = 1;
/** Submissions decided in one turn of the event loop; others wait for the next, so that reads come in between. */
const GROUP_MAX = 4;
/** And so many polls answered. */
const FINDS_MAX = 4;

export interface PatientJobsOptions {
  /** On a connection that does not wait for locks by itself. */
  readonly jobs: EmbeddedJobs;
  readonly monotonicMs: () => number;
  /** How long a change waits for another's lock before it fails. */
  readonly lockWaitMs: number;
}

interface WaitingSubmission {
  readonly submission: Submission;
  readonly resolve: (outcome: SubmitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The embedded store for a thread that has requests to answer: where another process, or this one's
 * housekeeping, holds the file's lock, a change is tried again in later turns rather than waited for in place.
 */
export class PatientJobs implements JobStore {
  readonly #options: PatientJobsOptions;
  #waiting: WaitingSubmission[] = [];
  #deciding = false;
  /** In this turn of the event loop. */
  #finds = 0;

  constructor(options: PatientJobsOptions) {
    this.#options = options;
  }

  /** Submissions that come together share a commit. */
  submit(submission: Submission): Promise<SubmitOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ submission, resolve, reject });
      if (!this.#deciding) void this.#decideAll();
    });
  }

  withdraw(jobId: number): void | Promise<void> {
    return this.#patiently((jobs) => jobs.withdraw(jobId));
  }

  claim(nowMs: number): ClaimedJob | undefined | Promise<ClaimedJob | undefined> {
    return this.#patiently((jobs) => jobs.claim(nowMs));
  }

  finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): boolean | Promise<boolean> {
    return this.#patiently((jobs) => jobs.finish(job, outcome, nowMs));
  }

  release(job: ClaimedJob): void | Promise<void> {
    return this.#patiently((jobs) => jobs.release(job));
  }

  find(jobId: number, accountId: string): StoredJob | undefined | Promise<StoredJob | undefined> {
    if (this.#finds === FINDS_MAX) return this.#findLater(jobId, accountId);
    if (this.#finds++ === 0) {
      setImmediate(() => {
        this.#finds = 0;
      });
    }
    return this.#patiently((jobs) => jobs.find(jobId, accountId));
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

  async #decideAll(): Promise<void> {
    this.#deciding = true;
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#waiting.slice(0, GROUP_MAX);
      this.#waiting = this.#waiting.slice(GROUP_MAX);
      try {
        const submissions = group.map((each) => each.submission);
        const outcomes = await this.#patiently((jobs) => jobs.submitAll(submissions));
        for (const [index, outcome] of outcomes.entries()) group[index]?.resolve(outcome);
      } catch (error) {
        if (isBusy(error)) refuse(group, error);
        else await this.#decideEach(group);
      }
    }
    this.#deciding = false;
  }

  async #findLater(jobId: number, accountId: string): Promise<StoredJob | undefined> {
    await new Promise((resolve) => setImmediate(resolve));
    return await this.find(jobId, accountId);
  }

  /** One that cannot be decided, or does not fit on the disk, does not take the others with it. */
  async #decideEach(group: readonly WaitingSubmission[]): Promise<void> {
    for (const { submission, resolve, reject } of group) {
      try {
        resolve(await this.#patiently((jobs) => jobs.submit(submission)));
      } catch (error) {
        reject(error);
      }
    }
  }

  /** At once where the lock is free, as it nearly always is. */
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
      if (attempt <= EAGER_ATTEMPTS) await new Promise((resolve) => setImmediate(resolve));
      else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      try {
        return work(jobs);
      } catch (error) {
        if (!isBusy(error) || monotonicMs() >= giveUpAt) throw error;
      }
    }
  }
}

function refuse(group: readonly WaitingSubmission[], error: unknown): void {
  for (const { reject } of group) reject(error);
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof AccountsUnavailable &&
    sqliteCode(error.cause)?.startsWith("SQLITE_BUSY") === true
  );
}
