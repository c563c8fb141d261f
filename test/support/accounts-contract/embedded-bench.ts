import type { Accounts } from "../../../server/accounts/accounts.ts";
import type { AccountsAdmin, NewAccount } from "../../../server/accounts/admin.ts";
import type { EmbeddedAccounts } from "../../../server/accounts/sqlite/embedded-accounts.ts";
import { openStateFile } from "../../../server/accounts/sqlite/state-file.ts";
import { BUILT_IN_PLANS, type PlanTable } from "../../../server/accounts/plans.ts";
import { AccountsFixture } from "../accounts-fixture.ts";
import type { AccountsBench } from "./bench.ts";

/** A state file in a folder of its own. */
export class EmbeddedBench implements AccountsBench {
  readonly #fixture = new AccountsFixture();

  get nowMs(): number {
    return this.#fixture.clock.wallMs;
  }

  get warnings(): readonly string[] {
    return this.#fixture.warnings;
  }

  async server(plans: PlanTable = BUILT_IN_PLANS): Promise<Accounts> {
    return this.#fixture.server({ plans });
  }

  async admin(plans?: PlanTable): Promise<AccountsAdmin> {
    return this.#fixture.admin(plans);
  }

  account(plan: string, email?: string, plans?: PlanTable): Promise<NewAccount> {
    return this.#fixture.account(plan, email, plans);
  }

  async pass(ms: number): Promise<void> {
    this.#fixture.clock.pass(ms);
  }

  setWallMs(ms: number): void {
    this.#fixture.clock.wallMs = ms;
  }

  async write(server: Accounts): Promise<void> {
    await (server as EmbeddedAccounts).housekeep();
  }

  async dump(): Promise<string> {
    const db = openStateFile(this.#fixture.file, { busyMs: 0 });
    const tables = ["accounts", "keys"].map((name) =>
      db.prepare(`SELECT * FROM ${name}`).raw().all(),
    );
    db.close();
    return JSON.stringify(tables);
  }

  close(): Promise<void> {
    return this.#fixture.close();
  }
}
