import {
  AccountsUnavailable,
  type AccountsClock,
  type Caller,
  type AccountInForce,
  type AccountPlans,
} from "../accounts.ts";
import { accountPlans, planPeriodAt, AuthenticatedKey, USE_AHEAD_MS } from "../in-force.ts";
import { KeyCache } from "../key-cache.ts";
import { KeyUse } from "../key-use.ts";
import type { KeyEnvironment } from "../keys.ts";
import type { PlanTable } from "../plans.ts";
import { RateWindow } from "../rate-window.ts";
import type { LogEntry, RecentRow } from "./charge-log.ts";
import { inTransaction, reading, type Connection } from "./state-file.ts";

/** Keys whose last use is written in one round, which takes a millisecond or two. */
const USES_WRITTEN_MAX = 50;
/** The last use never moves back, unless it comes from a clock that was ahead. */
const WRITE_USE = `
UPDATE keys SET last_used_ms = ?1
WHERE id = ?2 AND (last_used_ms IS NULL OR last_used_ms NOT BETWEEN ?1 AND ?1 + ${USE_AHEAD_MS})`;

/** An account's usage in one period. */
export interface Tally {
  readonly name: string;
  used: number;
  /** The last log entry of each endpoint: that of the next request is nearly always the same. */
  readonly entries: Map<string, LogEntry>;
}

/** An account in use, as it is in the state file. */
class Account implements AccountInForce {
  readonly id: string;
  readonly revision = "";
  readonly window = new RateWindow();
  /** By environment and period. A tally that is missing here is in the file, with no unfolded requests. */
  readonly tallies = { live: new Map<string, Tally>(), test: new Map<string, Tally>() };
  plans: AccountPlans;

  constructor(id: string, plans: AccountPlans) {
    this.id = id;
    this.plans = plans;
  }
}

/** The accounts in use. An account is read at its first request and then kept. */
export class AccountMemory {
  readonly #plans: PlanTable;
  /** By id. Call `get` for one that is missing here. */
  readonly inUse = new Map<string, Account>();
  /** The requests from before a restart, which are added to an account's window at its first request. */
  readonly #restored = new Map<string, (readonly [atMs: number, requests: number])[]>();
  readonly #sql;

  constructor(db: Connection, plans: PlanTable) {
    this.#plans = plans;
    this.#sql = {
      account: db.prepare("SELECT plan, created_ms FROM accounts WHERE id = ?").raw(),
      nextPlan: db.prepare("SELECT min(plan) FROM accounts WHERE plan > ?").raw(),
      used: db
        .prepare("SELECT used FROM usage WHERE account_id = ? AND env = ? AND period = ?")
        .raw(),
    };
  }

  /** An account. Throws `AccountsUnavailable` if it was removed. */
  get(id: string): Account {
    let account = this.inUse.get(id);
    if (account === undefined) {
      account = new Account(id, this.#plansOf(id));
      for (const [atMs, requests] of this.#restored.get(id) ?? [])
        account.window.add(atMs, requests);
      this.#restored.delete(id);
      this.inUse.set(id, account);
    }
    return account;
  }

  /** Reads the plan of an account in use again, and drops an account that was removed. */
  changed(id: string): void {
    const account = this.inUse.get(id);
    if (account === undefined) return;
    if (reading(() => this.#sql.account.get([id])) === undefined) this.inUse.delete(id);
    else account.plans = this.#plansOf(id);
  }

  /** Rebuilds windows from requests by the second. Each counts at the end of its second, so that none leaves too early. */
  restoreWindows(rows: readonly RecentRow[], { nowMs, monotonicMs }: AccountsClock): void {
    const wallMs = nowMs();
    const steadyMs = monotonicMs();
    for (const [accountId, second, requests] of rows) {
      const ageMs = Math.max(0, wallMs - (second + 1) * 1000);
      const kept = this.#restored.get(accountId) ?? [];
      this.#restored.set(accountId, kept);
      kept.push([steadyMs - ageMs, requests]);
    }
  }

  /** The account of a caller, its plan and period at an instant, and the tally of its usage. */
  termsAt(caller: Caller, nowMs: number) {
    const account = this.get(caller.accountId);
    const { plan, period } = planPeriodAt(account.plans, caller.env, nowMs);
    return { account, plan, period, tally: this.tallyOf(account, caller.env, period.name) };
  }

  tallyOf(account: Account, env: KeyEnvironment, period: string): Tally {
    const tallies = account.tallies[env];
    let tally = tallies.get(period);
    if (tally === undefined) {
      const row = reading(() => this.#sql.used.get([account.id, env, period]));
      const [used] = (row as readonly [number] | undefined) ?? [0];
      tally = { name: period, used, entries: new Map() };
      tallies.set(period, tally);
    }
    return tally;
  }

  /** Plans of accounts that the table lacks. Skips from plan to plan in their index, so that it costs the same for any number of accounts. */
  missingPlans(): readonly string[] {
    const missing: string[] = [];
    let [plan] = this.#sql.nextPlan.get([""]) as [string | null];
    while (plan !== null) {
      if (!this.#plans.has(plan)) missing.push(plan);
      [plan] = this.#sql.nextPlan.get([plan]) as [string | null];
    }
    return missing;
  }

  #plansOf(id: string): AccountPlans {
    const row = reading(() => this.#sql.account.get([id]));
    if (row === undefined) throw new AccountsUnavailable(`the account ${id} was removed`);
    const [plan, createdMs] = row as readonly [plan: string, createdMs: number];
    return accountPlans(this.#plans, { id, plan, createdMs });
  }
}

const find = (column: "hash" | "id") => `
SELECT id, account_id, env, expires_ms, last_used_ms FROM keys
WHERE ${column} = ? AND revoked_ms IS NULL AND (SELECT suspended_ms FROM accounts WHERE id = account_id) IS NULL`;

type KeyRow = readonly [
  keyId: string,
  accountId: string,
  env: KeyEnvironment,
  expiresMs: number | null,
  lastUsedMs: number | null,
];

/** Finds the account of a key. Keys are read when they are first seen, however many there are. */
export class KeyDirectory {
  readonly #memory: AccountMemory;
  readonly #select;
  readonly #selectById;
  readonly #cache: KeyCache<AuthenticatedKey>;
  readonly use: KeyUse;
  /** The keys in use by the header that carries them. Call `find` for one that is missing here. */
  readonly inUse: ReadonlyMap<string, AuthenticatedKey>;

  constructor(db: Connection, memory: AccountMemory, monotonicMs: () => number) {
    this.#memory = memory;
    this.#select = db.prepare(find("hash")).raw();
    this.#selectById = db.prepare(find("id")).raw();
    this.#cache = new KeyCache(monotonicMs);
    this.inUse = this.#cache.known;
    this.use = keyUseIn(db);
  }

  find(authorization: string): AuthenticatedKey | undefined {
    return this.#cache.find(authorization) ?? this.#read(authorization);
  }

  /** The key of an id, read anew. */
  findById(keyId: string): AuthenticatedKey | undefined {
    const row = reading(() => this.#selectById.get([keyId])) as KeyRow | undefined;
    return row && this.#keyFrom(row);
  }

  /** Drops all cached keys. Call when any key has changed. */
  changed(): void {
    this.#cache.clear();
  }

  #read(authorization: string): AuthenticatedKey | undefined {
    const hash = this.#cache.hashOf(authorization);
    if (hash === undefined) return undefined;
    const row = reading(() => this.#select.get([hash])) as KeyRow | undefined;
    if (row === undefined) {
      this.#cache.refuse(hash);
      return undefined;
    }
    const key = this.#keyFrom(row);
    this.#cache.keep(authorization, key);
    return key;
  }

  #keyFrom([keyId, accountId, env, expiresMs, lastUsedMs]: KeyRow): AuthenticatedKey {
    const facts = { keyId, env, expiresMs, lastUsedMs };
    return new AuthenticatedKey(facts, this.#memory.get(accountId));
  }
}

function keyUseIn(db: Connection): KeyUse {
  const update = db.prepare(WRITE_USE);
  return new KeyUse(USES_WRITTEN_MAX, async (uses) => {
    inTransaction(db, () => {
      for (const [keyId, usedMs] of uses) update.run([usedMs, keyId]);
    });
  });
}
