import type { Attribution } from "../../api/attribution.ts";
import type { Caller, QuotaDecision, Soon } from "../accounts.ts";
import type { ClaimedJob, Job, JobError, JobKind, JobOutcome, JobRequest } from "./job.ts";

export interface Submission {
  readonly caller: Caller;
  readonly kind: JobKind;
  readonly request: JobRequest;
  /** The number of backtests that it costs, and that it counts for in the account's turns. */
  readonly runs: number;
  /** The name under which the account's usage lists it. */
  readonly endpoint: string;
  /** The parameter sets that it tries; undefined where the caller did not choose them. */
  readonly tried?: TriedSets | undefined;
  readonly snapshotId: string;
  /** The source that the job's answers name, from the snapshot it runs on. */
  readonly attribution: Attribution;
  /** The caller's `Idempotency-Key`; undefined if none was sent. */
  readonly idempotencyKey: string | undefined;
  readonly nowMs: number;
}

/**
 * Parameter sets that count as tried while their job is under way, and once it is done for as long as its result is
 * kept. The account's total, these sets included, is counted in the transaction that accepts the job.
 */
export interface TriedSets {
  /** The template and coin within which sets are counted. */
  readonly scope: string;
  /** Distinct digests. */
  readonly digests: readonly string[];
}

/**
 * The outcome of a submission. `accepted`: the job and its charge were stored together. `repeated`: the key was used for
 * the same request within 24 hours, and nothing was charged.
 */
export type SubmitOutcome =
  | {
      readonly kind: "accepted" | "repeated";
      readonly jobId: number;
      readonly attribution: Attribution;
      readonly decision: QuotaDecision;
    }
  | { readonly kind: "quota_exceeded"; readonly decision: QuotaDecision }
  | { readonly kind: "concurrency_exceeded"; readonly running: number }
  | { readonly kind: "key_reused" };

/*
 * Every change of a job is one transaction. Methods throw `AccountsUnavailable` if the store cannot answer; then nothing
 * was changed.
 */

/** The job store as a process that answers requests uses it. */
export interface JobIntakeStore {
  /** Accepts a job and charges its units, or does neither. Resolves once the job is durable. */
  submit(submission: Submission): Promise<SubmitOutcome>;
  /**
   * A job of this account; undefined for another account's job and for none. `requestMs` is the instant at which the
   * request arrived, if there is one: the time limit of the store's answer begins then.
   */
  find(jobId: number, accountId: string, requestMs?: number): Soon<StoredJob | undefined>;
  /** The number of queued and running jobs of an account, which its plan's concurrent runs limit. */
  underWay(accountId: string, requestMs?: number): Soon<number>;
  /** The account's newest jobs, newest first. */
  list(accountId: string, limit: number): Soon<readonly ListedJob[]>;
  counts(): Soon<JobCounts>;
}

export interface ListedJob extends Pick<
  Job,
  "id" | "status" | "request" | "createdMs" | "finishedMs"
> {
  readonly errorCode: JobError["code"] | null;
}

/** The job store as a process that runs jobs uses it. */
export interface JobRunStore {
  /** The next job on one of these snapshots, in fair turns between accounts; undefined if none waits. */
  claim(nowMs: number, snapshots: readonly string[]): Soon<ClaimedJob | undefined>;
  /** Ends a claimed job, and refunds it if it failed. False if the claim is no longer valid. */
  finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): Soon<boolean>;
  /** Returns a claimed job to the queue. */
  release(job: ClaimedJob, why: ReleaseReason): Soon<void>;
  /**
   * Maintenance, every few seconds: queues the jobs of dead processes again, removes old jobs, and records that this
   * process lives and holds these snapshots. Returns the snapshots that jobs wait for and no process holds.
   */
  tend(nowMs: number, held: readonly string[]): Soon<readonly string[]>;
  counts(): Soon<JobCounts>;
  /** Sets the function to call when another process may have queued a job. */
  onWork?(wake: () => void): void;
  /** Returns this process's claims to the queue; absent where the store notices the end of a process by itself. */
  close?(): Promise<void>;
}

/** Why a job returns to the queue. `again`: its worker was lost, which is counted. `left`: its snapshot is not here. */
export type ReleaseReason = "again" | "left";

/** Jobs of all accounts. */
export interface JobCounts {
  readonly queued: number;
  readonly running: number;
}

export interface StoredJob {
  readonly job: Job;
  readonly attribution: Attribution;
  /** The result if the job is done: JSON text, compressed by gzip. */
  readonly result: Uint8Array | null;
}

/** What a process that runs jobs tells the server that started it. */
export interface JobReadiness {
  /** The snapshot that it has open. */
  readonly holds: string | undefined;
  /** Whether it cannot use the snapshot that was published last. */
  readonly isRefused: boolean;
}

/** The log of failures that no caller sees: pino's logger, or a list in tests. */
export interface FailureLog {
  error(details: object, message: string): void;
}
