import { join } from "node:path";
import type { Caller, ChargeOutcome } from "../../accounts/accounts.ts";
import { BUILT_IN_PLANS } from "../../accounts/plans.ts";
import { openSqliteState } from "../../accounts/sqlite/open-sqlite-state.ts";
import type { SqliteState } from "../../accounts/sqlite/sqlite-state.ts";
import type { JobRunStore } from "../../accounts/jobs/job-store.ts";
import { servedJobs } from "../../server/jobs/served-jobs.ts";
import { SqliteJobs } from "../../accounts/jobs/sqlite/sqlite-jobs.ts";
import { Channel } from "../../aside/channel.ts";
import { FakeClock } from "./fake-clock.ts";
import { bearer } from "./bearer.ts";
import { charge } from "./charge.ts";
import { holding } from "./held-snapshots.ts";
import { jobCallsOf, jobProcess, type JobBench, type JobProcess } from "./job-bench.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A server that owns a state file, and processes that run its backtests, which ask it for everything. */
export class SqliteJobBench implements JobBench {
  readonly clock = new FakeClock();
  readonly warnedOf: string[] = [];
  readonly logged: object[] = [];
  readonly state: SqliteState = openSqliteState({
    file: join(temporaryFolder("jobs"), "hindsight.db"),
    plans: BUILT_IN_PLANS,
    clock: this.clock,
    roundMs: null,
  });
  readonly jobs = new SqliteJobs(this.state.ledger, {
    error: (details: object) => void this.logged.push(details),
  });

  process(): JobProcess {
    return this.processWith("s1");
  }

  processWith(current: string | undefined): JobProcess {
    const held = holding(current, {
      monotonicMs: this.clock.monotonicMs,
      warn: (message) => this.warnedOf.push(/"(.*?)"/.exec(message)![1]!), // it names one
    });
    return jobProcess(this.jobs, this.served(), held);
  }

  /** The jobs as the backtest process has them. */
  served(): JobRunStore {
    const ends: Channel[] = [];
    const server = new Channel((reply) => ends[0]!.received(reply), this.jobs); // made next
    ends.push(new Channel((call) => server.received(call), {}));
    return servedJobs((...call) => ends[0]!.call(...call));
  }

  waitOut(ms: number): void {
    this.clock.pass(ms);
  }

  async caller(plan: string, email = "ann@example.com"): Promise<Caller> {
    const { key } = await this.state.admin.createAccount({ email, plan });
    return this.state.knownCaller(bearer(key), this.clock.wallMs)!; // just made
  }

  async remove({ accountId }: Caller): Promise<void> {
    await this.state.admin.deleteAccount(accountId);
  }

  used(who: Caller): number {
    return this.state.ledger.quotaOf(who, this.clock.wallMs).used;
  }

  charge(caller: Caller, units: number): Promise<ChargeOutcome> {
    return charge(this.state, caller, units, this.clock.wallMs);
  }

  async backtestsOf(who: Caller) {
    return jobCallsOf((await this.state.admin.usageOf(who.accountId)).endpoints);
  }

  withdraw(jobId: number): void {
    this.jobs.withdraw(jobId);
  }

  lose(): void {
    this.jobs.requeue();
  }

  leave(): void {
    this.jobs.requeue();
  }

  async close(): Promise<void> {
    await this.state.close();
  }
}
