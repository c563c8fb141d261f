import type { ClaimedJob } from "../../accounts/jobs/job.ts";
import type { JobCounts, JobRunStore } from "../../accounts/jobs/job-store.ts";

/** The calls of the backtest process to the job store in its server. */
export type JobCalls = Pick<JobRunStore, "claim" | "finish" | "release" | "tend" | "counts">;

/** The job store of the server that started this process. `call` makes a call there. */
export function servedJobs(
  call: (name: keyof JobCalls, args: readonly unknown[]) => Promise<unknown>,
): JobRunStore {
  return {
    claim: (...args) => call("claim", args) as Promise<ClaimedJob | undefined>,
    finish: (...args) => call("finish", args) as Promise<boolean>,
    release: (...args) => call("release", args) as Promise<void>,
    tend: (...args) => call("tend", args) as Promise<readonly string[]>,
    counts: () => call("counts", []) as Promise<JobCounts>,
  };
}
