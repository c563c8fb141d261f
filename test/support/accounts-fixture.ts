import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import type { Accounts, Caller } from "../../accounts/accounts.ts";
import type { NewAccount } from "../../accounts/admin.ts";
import { openSqliteState } from "../../accounts/sqlite/open-sqlite-state.ts";
import type { SqliteState, SqliteStateOptions } from "../../accounts/sqlite/sqlite-state.ts";
import { BUILT_IN_PLANS, parsePlans, type PlanTable } from "../../accounts/plans.ts";
import { bearer } from "./bearer.ts";
import { charge } from "./charge.ts";
import { FakeClock } from "./fake-clock.ts";

type StateOptions = Partial<Omit<SqliteStateOptions, "plans">> & {
  readonly plans?: PlanTable | undefined;
};

/** A state file in a folder of its own, which this process opens once at a time. `close` removes all of it. */
export class AccountsFixture {
  readonly folder = mkdtempSync(join(tmpdir(), "hindsight-accounts-"));
  readonly file = join(this.folder, "state", "hindsight.db");
  readonly clock = new FakeClock();
  readonly warnings: string[] = [];
  #state: SqliteState | undefined;
  #plans: PlanTable = BUILT_IN_PLANS;

  /** The open state. It is opened if nothing is open, and opened anew if it is to have other plans. */
  async state(options: StateOptions = {}): Promise<SqliteState> {
    const { plans } = options;
    if (plans !== undefined && plans !== this.#plans) await this.closeState();
    return this.#state ?? this.open(options);
  }

  /** Opens the file, which must not be open. */
  open(options: StateOptions = {}): SqliteState {
    this.#plans = options.plans ?? this.#plans;
    const state = openSqliteState({
      file: this.file,
      clock: this.clock,
      warn: (message) => this.warnings.push(message),
      roundMs: null,
      ...options,
      plans: this.#plans,
    });
    const close = state.close.bind(state);
    state.close = async () => {
      this.#state = undefined;
      await close();
    };
    this.#state = state;
    return state;
  }

  async closeState(): Promise<void> {
    await this.#state?.close();
  }

  /** Makes an account. If nothing was open, the file is closed again. */
  async account(plan: string, email = "ann@example.com", plans?: PlanTable): Promise<NewAccount> {
    const wasOpen = this.#state !== undefined;
    const before = this.#plans;
    const { admin } = await this.state({ plans });
    try {
      return await admin.createAccount({ email, plan });
    } finally {
      if (!wasOpen) {
        await this.closeState();
        this.#plans = before;
      }
    }
  }

  /** Charges this many calls one after another, and returns the use after the last. */
  async chargeCalls(accounts: Accounts, key: string, calls: number): Promise<number> {
    const now = this.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    let used = 0;
    for (let n = 0; n < calls; n++) ({ used } = await charge(accounts, caller, 1, now, "/signals"));
    return used;
  }

  /** Rows of the state file, which must not be open. */
  rows(sql: string): unknown[] {
    const db = new Database(this.file);
    const rows = db.prepare(sql).raw().all();
    db.close();
    return rows;
  }

  async close(): Promise<void> {
    await this.closeState();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The built-in plans plus one named "tiny", with this many calls a month. */
export function tinyPlans(callsPerMonth: number): PlanTable {
  const plan = { name: "tiny", price_usd: null, calls_per_month: callsPerMonth };
  const rest = { rate_per_minute: 1_000_000, backtest_units: null, concurrent_runs: null };
  return parsePlans(JSON.stringify({ plans: [{ ...plan, ...rest }] }), "tiny");
}

/** The caller of a valid key of a state file. */
export function callerOf(accounts: Accounts, key: string, nowMs: number): Caller {
  const caller = accounts.knownCaller(bearer(key), nowMs);
  if (caller === undefined) throw new Error("the key does not hold");
  return caller;
}
