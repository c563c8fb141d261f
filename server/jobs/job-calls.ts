import type { ClaimedJob, JobOutcome } from "./job.ts";
import type { JobCounts, ReleaseReason } from "./job-store.ts";

/** What the backtest process asks of the job store in its server, each time in a message of its own. */
export interface JobCalls {
  /** The next job on one of these snapshots; undefined if none waits. */
  claim(nowMs: number, snapshots: readonly string[]): ClaimedJob | undefined;
  finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): boolean;
  release(job: ClaimedJob, why: ReleaseReason): void;
  counts(): JobCounts;
  /** Snapshots that queued jobs wait for, apart from these. */
  missing(snapshots: readonly string[]): readonly string[];
  prune(nowMs: number): number;
}

export type JobCall = {
  readonly [Name in keyof JobCalls]: {
    readonly kind: "call";
    readonly id: number;
    readonly name: Name;
    readonly args: Parameters<JobCalls[Name]>;
  };
}[keyof JobCalls];

/** Failures cross processes as data. */
export interface JobReply {
  readonly kind: "reply";
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Makes the call, and puts its result or failure into a message. */
export function replyTo(jobs: JobCalls, { id, name, args }: JobCall): JobReply {
  try {
    const call = jobs[name] as (...args: unknown[]) => unknown;
    return { kind: "reply", id, result: call.apply(jobs, args) };
  } catch (error) {
    return { kind: "reply", id, error: String(error) };
  }
}
