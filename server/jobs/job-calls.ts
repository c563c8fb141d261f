import type { JobRunStore } from "./job-store.ts";

/** What the backtest process asks of the job store in its server, each time in a message of its own. */
export type JobCalls = Pick<JobRunStore, "claim" | "finish" | "release" | "tend" | "counts">;

export interface JobCall {
  readonly kind: "call";
  readonly id: number;
  readonly name: keyof JobCalls;
  readonly args: readonly unknown[];
}

/** Failures cross processes as data. */
export interface JobReply {
  readonly kind: "reply";
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Makes the call, and puts its result or failure into a message. */
export async function replyTo(jobs: JobCalls, { id, name, args }: JobCall): Promise<JobReply> {
  try {
    const call = jobs[name] as (...args: readonly unknown[]) => unknown;
    return { kind: "reply", id, result: await call.apply(jobs, [...args]) };
  } catch (error) {
    return { kind: "reply", id, error: String(error) };
  }
}
