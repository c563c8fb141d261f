import type { Caller, ChargeDecision } from "../accounts/accounts.ts";
import type { BacktestRequest, ClaimedJob, Job, JobOutcome } from "./job.ts";
import type { PackedText } from "./packed-text.ts";

export interface Submission {
  readonly caller: Caller;
  readonly request: BacktestRequest;
  readonly snapshotId: string;
  /** What the job's answers say of their source: of the snapshot it runs on. */
  readonly attribution: object;
  /** The caller's `Idempotency-Key`; undefined where none was sent. */
  readonly idempotencyKey: string | undefined;
  readonly nowMs: number;
}

/**
 * What became of a submission. `accepted`: the job and its charge are in the store together.
 * `repeated`: the key was used for the same request within 24 hours; nothing was charged.
 */
export type SubmitOutcome =
  | {
      readonly kind: "accepted" | "repeated";
      readonly jobId: number;
      readonly attribution: object;
      readonly month: ChargeDecision;
    }
  | { readonly kind: "quota_exceeded"; readonly month: ChargeDecision }
  | { readonly kind: "concurrency_exceeded"; readonly running: number }
  | { readonly kind: "key_reused" };

/**
 * Where jobs live. Every change is one transaction; an answer that says "accepted" leaves only when the
 * job is with the operating system. Methods throw `AccountsUnavailable` when the store cannot
 * answer; then nothing was changed.
 */
export interface JobStore {
  /** Takes a job in and charges its units, or neither. */
  submit(submission: Submission): SubmitOutcome | Promise<SubmitOutcome>;
  /** Undoes an acceptance that nobody was told of: the job never was, and its units are given back. */
  withdraw(jobId: number): void | Promise<void>;
  /** The next job to run, in fair turns between accounts, or undefined when none waits. */
  claim(nowMs: number): ClaimedJob | undefined | Promise<ClaimedJob | undefined>;
  /** Ends a claimed job; a job that ends in `error` is refunded. False when the claim no longer holds. */
  finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): boolean | Promise<boolean>;
  /** Puts a claimed job whose worker was lost back into the queue. */
  release(job: ClaimedJob, nowMs: number): void | Promise<void>;
  /**
   * A job of this account; undefined for another's and for none alike. `requestMs` is when the request came that asks,
   * where one does: a store that does not answer is waited for from then on.
   */
  find(
    jobId: number,
    accountId: string,
    requestMs?: number,
  ): StoredJob | undefined | Promise<StoredJob | undefined>;
  /** Jobs of this account that are queued or running: what its plan's concurrent runs are counted against. */
  underWay(accountId: string, requestMs?: number): number | Promise<number>;
  /** Jobs of all accounts that wait and that run, for monitoring. */
  counts(): JobCounts | Promise<JobCounts>;
  /**
   * Leaves a claimed job whose snapshot this process has not got to another that may have it. False
   * when none is known to; then the job ends here. Absent where all processes share one folder of snapshots.
   */
  leave?(job: ClaimedJob): boolean | Promise<boolean>;
  /** Queues jobs again whose process is gone, and says that this one lives. Returns how many. */
  recover(nowMs: number): number | Promise<number>;
  /** Forgets what is older than results are kept. Returns how many jobs went. */
  prune(nowMs: number): number | Promise<number>;
}

export interface JobCounts {
  readonly queued: number;
  readonly running: number;
}

/** A job store as a process opens it, with what comes and goes with the process. */
export interface JobHome extends JobStore {
  /**
   * Resolves when what was accepted is as durable as the store makes it; when it rejects, nobody may
   * be told of the acceptance, and it was undone.
   */
  secure(outcome: SubmitOutcome): void | Promise<void>;
  /** Names whom to wake when another process put a job into the queue; only a process that runs jobs does. */
  onWork?(wake: () => void): void;
  /**
   * Looks after the store for a process that only takes jobs in; absent where those that run them do all of it.
   * They call `recover` instead.
   */
  tend?(): Promise<unknown>;
  /** Gives back what this process still holds. */
  close(): Promise<void>;
}

export interface StoredJob {
  readonly job: Job;
  readonly attribution: object;
  /** The result, JSON text, when the job is done. */
  readonly result: PackedText | null;
}
