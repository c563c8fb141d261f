import type { Caller } from "../../server/accounts/accounts.ts";
import type { JobStore } from "../../server/jobs/job-store.ts";
import type { FakeClock } from "./accounts-fixture.ts";

/** A store of jobs and accounts, and the processes that share it. */
export interface JobBench {
  readonly clock: FakeClock;
  /** The jobs as one more process sees them, which has snapshot "s1" loaded. */
  process(): JobStore | Promise<JobStore>;
  /** The same of one that has another snapshot loaded, or none. */
  processWith(current: string | undefined): JobStore | Promise<JobStore>;
  /** Names of the snapshots that processes were warned of, each time. */
  readonly warnedOf: string[];
  /** Lets time pass for everybody's patience with snapshots. */
  waitOut(ms: number): void;
  /** The live key of a new account on this plan. */
  caller(plan: string, email?: string): Promise<Caller>;
  used(who: Caller): number | Promise<number>;
  charge(who: Caller, units: number): Promise<unknown>;
  /**
   * Calls of the account's backtests in this month, by the report of its use, and what they cost; undefined
   * if the report has none.
   */
  backtestsOf(who: Caller): Promise<{ readonly calls: number; readonly units: number } | undefined>;
  /** Undoes an acceptance that nobody was told about. */
  withdraw(jobId: number): void | Promise<void>;
  /** Kills a process; others may know it at their next `recover`. */
  lose(process: JobStore): void | Promise<void>;
  /** Ends a process in order. */
  leave(process: JobStore): void | Promise<void>;
  close(): Promise<void>;
}
