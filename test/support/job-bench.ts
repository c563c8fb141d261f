import type { Caller } from "../../accounts/accounts.ts";
import type { ClaimedJob } from "../../accounts/jobs/job.ts";
import type { HeldSnapshots } from "../../server/jobs/held-snapshots.ts";
import type { JobIntakeStore, JobRunStore } from "../../accounts/jobs/job-store.ts";
import type { FakeClock } from "./fake-clock.ts";

/** A process that both takes jobs in and runs them, on the snapshots that it has. */
export interface JobProcess extends JobIntakeStore, Omit<JobRunStore, "claim" | "tend"> {
  claim(nowMs: number): ClaimedJob | undefined | Promise<ClaimedJob | undefined>;
  /** Looks after the store, as a process does every few seconds. Returns how many jobs wait again. */
  recover(nowMs: number): Promise<number>;
  doubt(snapshotId: string): boolean;
  close(): Promise<void>;
}

export function jobProcess(
  intake: JobIntakeStore & { close?(): Promise<void> },
  runs: JobRunStore,
  snapshots: HeldSnapshots,
): JobProcess {
  return {
    submit: (submission) => intake.submit(submission),
    find: (...asked) => intake.find(...asked),
    underWay: (...asked) => intake.underWay(...asked),
    list: (...asked) => intake.list(...asked),
    counts: () => runs.counts(),
    claim: (nowMs) => runs.claim(nowMs, snapshots.claimable()),
    finish: (...ended) => runs.finish(...ended),
    release: (...left) => runs.release(...left),
    doubt: (snapshotId) => snapshots.doubt(snapshotId),
    onWork: (wake) => runs.onWork?.(wake),
    async recover(nowMs) {
      const { queued } = await runs.counts();
      await snapshots.refresh();
      snapshots.missing(await runs.tend(nowMs, snapshots.held()));
      return (await runs.counts()).queued - queued;
    },
    async close() {
      await runs.close?.();
      await intake.close?.();
    },
  };
}

/** The calls and units of backtests or studies in a report of what an account used. */
export function jobCallsOf(
  endpoints: readonly { endpoint: string; calls: number; units: number }[],
) {
  const made = endpoints.find(({ endpoint }) => ["/backtests", "/studies"].includes(endpoint));
  return made === undefined ? undefined : { calls: made.calls, units: made.units };
}

/** A store of jobs and accounts, and the processes that share it. */
export interface JobBench {
  readonly clock: FakeClock;
  /** The jobs as seen by another process, which has snapshot "s1" loaded. */
  process(): JobProcess | Promise<JobProcess>;
  /** The jobs as seen by a process that has another snapshot loaded, or none. */
  processWith(current: string | undefined): JobProcess | Promise<JobProcess>;
  /** The names of the snapshots in the warnings of processes. */
  readonly warnedOf: string[];
  /** Moves the time that processes wait for snapshots. */
  waitOut(ms: number): void;
  /** The live key of a new account on this plan. */
  caller(plan: string, email?: string): Promise<Caller>;
  /** Removes the account behind a caller. */
  remove(who: Caller): Promise<void>;
  used(who: Caller): number | Promise<number>;
  charge(who: Caller, units: number): Promise<unknown>;
  /**
   * How often and for how many units the account called for jobs in this month; undefined if the report has no such
   * call.
   */
  backtestsOf(who: Caller): Promise<ReturnType<typeof jobCallsOf>>;
  /** Undoes an acceptance before its caller learned of it. */
  withdraw(jobId: number): void | Promise<void>;
  /** Kills a process; others may know it at their next `recover`. */
  lose(process: JobProcess): void | Promise<void>;
  /** Ends a process in order. */
  leave(process: JobProcess): void | Promise<void>;
  close(): Promise<void>;
}
