import type { Attribution } from "../../api/attribution.ts";
import type { Caller, QuotaDecision } from "../accounts/accounts.ts";
import type { ClaimedJob, Job, JobError, JobKind, JobOutcome, JobRequest } from "./job.ts";

export interface Submission {
  readonly caller: Caller;
  readonly kind: JobKind;
  readonly request: JobRequest;
  /** How many backtests it costs, and counts for in the account's turns. */
  readonly runs: number;
  /** The name under which the account's usage lists it. */
  readonly endpoint: string;
  /** The sets of parameters that it tries; undefined where that is nobody's choice. */
  readonly tried?: TriedSets | undefined;
  readonly snapshotId: string;
  /** What the job's answers say about their source, from the snapshot it runs on. */
  readonly attribution: Attribution;
  /** The caller's `Idempotency-Key`; undefined if none was sent. */
  readonly idempotencyKey: string | undefined;
  readonly nowMs: number;
}

/**
 * Sets that count as tries once their job is done, or while it is under way, for as long as results are kept. How many
 * the account has tried is counted, these included, in the transaction that accepts the job.
 */
export interface TriedSets {
  /** What they are compared within: a template and a coin. */
  readonly scope: string;
  /** Distinct digests. */
  readonly digests: readonly string[];
}

/**
 * What became of a submission. `accepted`: the job and its charge were stored together. `repeated`: the key
 * was used for the same request within 24 hours, and nothing was charged.
 */
export type SubmitOutcome =
  | ({ readonly kind: "accepted" } & TakenJob)
  | ({ readonly kind: "repeated" } & TakenJob)
  | { readonly kind: "quota_exceeded"; readonly decision: QuotaDecision }
  | { readonly kind: "concurrency_exceeded"; readonly running: number }
  | { readonly kind: "key_reused" };

interface TakenJob {
  readonly jobId: number;
  readonly attribution: Attribution;
  readonly decision: QuotaDecision;
}

/*
 * Every change of a job is one transaction. Methods throw `AccountsUnavailable` if the store cannot answer; then
 * nothing was changed.
 */

/** What a process that answers requests needs of the jobs. */
export interface JobIntakeStore {
  /** Takes a job in and charges its units, or does neither. Resolves once the job is durable. */
  submit(submission: Submission): Promise<SubmitOutcome>;
  /**
   * A job of this account; undefined both for another account's job and for none. `requestMs` is when the
   * request that asks arrived, if there is one: a store that does not answer is waited for from that instant
   * on.
   */
  find(
    jobId: number,
    accountId: string,
    requestMs?: number,
  ): StoredJob | undefined | Promise<StoredJob | undefined>;
  /** How many jobs of this account are queued or running; its plan's concurrent runs limit this number. */
  underWay(accountId: string, requestMs?: number): number | Promise<number>;
  /** The account's newest jobs, the newest first. */
  list(accountId: string, limit: number): readonly ListedJob[] | Promise<readonly ListedJob[]>;
  /** How many jobs of all accounts wait and run, for monitoring. */
  counts(): JobCounts | Promise<JobCounts>;
}

/** A job as a list shows it. */
export interface ListedJob extends Pick<
  Job,
  "id" | "status" | "request" | "createdMs" | "finishedMs"
> {
  readonly errorCode: JobError["code"] | null;
}

/** What a process that runs jobs needs of them. */
export interface JobRunStore {
  /** The next job on one of these snapshots, in fair turns between accounts; undefined if none waits. */
  claim(
    nowMs: number,
    snapshots: readonly string[],
  ): ClaimedJob | undefined | Promise<ClaimedJob | undefined>;
  /** Ends a claimed job; one that ends in `error` is refunded. False if the claim no longer holds. */
  finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): boolean | Promise<boolean>;
  /** Returns a claimed job to the queue. */
  release(job: ClaimedJob, why: ReleaseReason): void | Promise<void>;
  /**
   * Looks after the store, every few seconds: queues jobs again whose process is gone, removes old ones, and records that
   * this process lives and has these snapshots. Returns those that jobs wait for and no process has.
   */
  tend(nowMs: number, held: readonly string[]): readonly string[] | Promise<readonly string[]>;
  counts(): JobCounts | Promise<JobCounts>;
  /** Sets what to call when another process may have queued a job. */
  onWork?(wake: () => void): void;
  /** Puts back what this process still holds; absent where the store knows by itself when it is gone. */
  close?(): Promise<void>;
}

/** Why a job goes back: its worker was lost, which is counted, or its snapshot is not here. */
export type ReleaseReason = "again" | "left";

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
