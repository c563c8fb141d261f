import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "../../server/accounts/accounts.ts";
import type { AccountsAdmin, NewAccount } from "../../server/accounts/admin.ts";
import {
  EmbeddedAccounts,
  type EmbeddedAccountsOptions,
} from "../../server/accounts/sqlite/embedded-accounts.ts";
import { openEmbeddedAdmin } from "../../server/accounts/sqlite/embedded-admin.ts";
import { openStateFile } from "../../server/accounts/sqlite/state-file.ts";
import { BUILT_IN_PLANS, parsePlans, type PlanTable } from "../../server/accounts/plans.ts";
import { bearer } from "./bearer.ts";
import { charge } from "./charge.ts";

/** A wall clock and a monotonic clock that stand still until a test moves them. */
export class FakeClock {
  wallMs = Date.parse("2026-02-10T12:00:00Z");
  steadyMs = 1_000;
  readonly nowMs = () => this.wallMs;
  readonly monotonicMs = () => this.steadyMs;

  /** Lets time pass on both clocks. */
  pass(ms: number): void {
    this.wallMs += ms;
    this.steadyMs += ms;
  }
}

/** A state file in a folder of its own, and everybody whom a test opens on it. `close` removes all of it. */
export class AccountsFixture {
  readonly folder = mkdtempSync(join(tmpdir(), "hindsight-accounts-"));
  readonly file = join(this.folder, "state", "hindsight.db");
  readonly clock = new FakeClock();
  readonly warnings: string[] = [];
  readonly #open: { close(): Promise<void> }[] = [];

  server(options: Partial<EmbeddedAccountsOptions> = {}): EmbeddedAccounts {
    const accounts = new EmbeddedAccounts({
      file: this.file,
      plans: BUILT_IN_PLANS,
      clock: this.clock,
      warn: (message) => this.warnings.push(message),
      housekeepingMs: null,
      ...options,
    });
    this.#open.push(accounts);
    return accounts;
  }

  admin(plans: PlanTable = BUILT_IN_PLANS): AccountsAdmin {
    const admin = openEmbeddedAdmin({ file: this.file, plans, nowMs: this.clock.nowMs });
    this.#open.push(admin);
    return admin;
  }

  /** A new account, made by an administrator who then leaves. */
  async account(plan: string, email = "ann@example.com", plans?: PlanTable): Promise<NewAccount> {
    const admin = this.admin(plans);
    const made = await admin.createAccount({ email, plan });
    await admin.close();
    return made;
  }

  /** Charges this many calls, one after another, and returns what is used then. */
  async chargeCalls(accounts: EmbeddedAccounts, key: string, calls: number): Promise<number> {
    const now = this.clock.wallMs;
    const caller = await callerSoon(accounts, key, now);
    let used = 0;
    for (let n = 0; n < calls; n++) ({ used } = await charge(accounts, caller, 1, now, "/signals"));
    return used;
  }

  /** What the state file has by itself, without calls that are still only in the meter file. */
  usedInState(): number {
    const db = openStateFile(this.file, { busyMs: 1_000 });
    const [used] = db.prepare("SELECT coalesce(sum(used), 0) FROM usage").raw().get() as [number];
    db.close();
    return used;
  }

  async close(): Promise<void> {
    for (const each of this.#open.reverse()) await each.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The built-in plans plus one named "tiny", with this many calls a month. */
export function tinyPlans(callsPerMonth: number): PlanTable {
  const plan = { name: "tiny", price_usd: null, calls_per_month: callsPerMonth };
  const rest = { rate_per_minute: 1_000_000, backtest_units: null, concurrent_runs: null };
  return parsePlans(JSON.stringify({ plans: [{ ...plan, ...rest }] }), "tiny");
}

/**
 * The caller behind a key that must be valid. The key must be cached, or the only one looked up in this turn
 * of the event loop.
 */
export function callerOf(accounts: EmbeddedAccounts, key: string, nowMs: number): Caller {
  const caller = accounts.authenticate(bearer(key), nowMs);
  if (caller === undefined) throw new Error("the key does not hold");
  if (caller instanceof Promise) throw new Error("another key was looked up in this turn");
  return caller;
}

/** The same for any key: one that comes with others is looked up at the end of the turn. */
export async function callerSoon(
  accounts: EmbeddedAccounts,
  key: string,
  nowMs: number,
): Promise<Caller> {
  await accounts.authenticate(bearer(key), nowMs);
  return callerOf(accounts, key, nowMs);
}
