import Database from "libsql";
import type { Accounts } from "../../../accounts/accounts.ts";
import type { Admin } from "../../../accounts/accounts-admin.ts";
import type { NewAccount } from "../../../accounts/admin.ts";
import { AccessRules } from "../../../accounts/access-rules.ts";
import type { PlanTable } from "../../../accounts/plans.ts";
import { AccountsFixture } from "../accounts-fixture.ts";
import type { AccountsBench } from "./bench.ts";

const TABLES =
  "accounts keys links shares sessions audit former former_usage usage calls recent charge_log jobs results idempotency";

/** A state file in a folder of its own. One process owns it, so servers and administrators share one state. */
export class SqliteBench implements AccountsBench {
  readonly #fixture = new AccountsFixture();

  get nowMs(): number {
    return this.#fixture.clock.wallMs;
  }

  get warnings(): readonly string[] {
    return this.#fixture.warnings;
  }

  async server(plans?: PlanTable): Promise<Accounts> {
    return await this.#fixture.state({ plans });
  }

  async admin(plans?: PlanTable): Promise<Admin> {
    return (await this.#fixture.state({ plans })).admin;
  }

  async access(): Promise<AccessRules> {
    const state = await this.#fixture.state();
    return new AccessRules(state.records);
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

  async write(): Promise<void> {
    await (await this.#fixture.state()).round();
  }

  async dump(): Promise<string> {
    await this.#fixture.closeState();
    const db = new Database(this.#fixture.file);
    const tables = TABLES.split(" ").map((name) => db.prepare(`SELECT * FROM ${name}`).raw().all());
    db.close();
    return JSON.stringify(tables);
  }

  close(): Promise<void> {
    return this.#fixture.close();
  }
}
