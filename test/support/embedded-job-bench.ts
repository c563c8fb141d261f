import type { Caller } from "../../server/accounts/accounts.ts";
import type { EmbeddedAccounts } from "../../server/accounts/sqlite/embedded-accounts.ts";
import { openStateFile, type Connection } from "../../server/accounts/sqlite/state-file.ts";
import { EmbeddedJobs } from "../../server/jobs/sqlite/embedded-jobs.ts";
import { AccountsFixture, callerSoon } from "./accounts-fixture.ts";
import type { JobBench } from "./job-bench.ts";
import { charge } from "./charge.ts";
import { holding } from "./held-snapshots.ts";

/** Processes on one state file, each with a pid that counts as alive until the process is lost. */
export class EmbeddedJobBench implements JobBench {
  readonly #fixture = new AccountsFixture();
  readonly #accounts: EmbeddedAccounts = this.#fixture.server();
  readonly #processes = new Map<EmbeddedJobs, { readonly pid: number; readonly db: Connection }>();
  readonly #alive = new Set<number>();
  readonly clock = this.#fixture.clock;
  readonly warnedOf: string[] = [];

  /** `pidNamespace` names the container's numbering. */
  process(pidNamespace = ""): EmbeddedJobs {
    return this.#process(pidNamespace, "s1");
  }

  processWith(current: string | undefined): EmbeddedJobs {
    return this.#process("", current);
  }

  waitOut(ms: number): void {
    this.clock.pass(ms);
  }

  #process(pidNamespace: string, current: string | undefined): EmbeddedJobs {
    const db = openStateFile(this.#fixture.file, { busyMs: 250 });
    const pid = this.#processes.size + 1;
    this.#alive.add(pid);
    const jobs = new EmbeddedJobs({
      db,
      ledger: this.#accounts.ledgerOn(db),
      snapshots: holding(current, {
        monotonicMs: this.clock.monotonicMs,
        warn: (message) => this.warnedOf.push(/"(.*?)"/.exec(message)![1]!), // it names one
      }),
      isAlive: (each) => this.#alive.has(each),
      pid,
      pidNamespace,
    });
    this.#processes.set(jobs, { pid, db });
    return jobs;
  }

  /** A process's connection to the file. */
  dbOf(process: EmbeddedJobs): Connection {
    return this.#processes.get(process)!.db; // every process is made here
  }

  async caller(plan: string, email?: string): Promise<Caller> {
    const { key } = await this.#fixture.account(plan, email);
    return await callerSoon(this.#accounts, key, this.clock.wallMs);
  }

  used(who: Caller): number {
    return this.#accounts.quota(who, this.clock.wallMs).used;
  }

  charge(who: Caller, units: number): Promise<unknown> {
    return charge(this.#accounts, who, units, this.clock.wallMs);
  }

  async backtestsOf(who: Caller) {
    const { endpoints } = await this.#fixture.admin().usageOf(who.accountId);
    const made = endpoints.find(({ endpoint }) => endpoint === "/backtests");
    return made === undefined ? undefined : { calls: made.calls, units: made.units };
  }

  withdraw(jobId: number): void {
    const [process] = this.#processes.keys();
    process!.withdraw(jobId); // there is one
  }

  lose(process: EmbeddedJobs): void {
    this.#alive.delete(this.#processes.get(process)!.pid); // every process is made here
  }

  leave(process: EmbeddedJobs): void {
    process.close();
  }

  async close(): Promise<void> {
    for (const { db } of this.#processes.values()) db.close();
    await this.#fixture.close();
  }
}
