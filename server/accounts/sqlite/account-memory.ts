import { AccountsUnavailable, type AccountsClock, type Caller } from "../accounts.ts";
import {
  accountPlans,
  planPeriodAt,
  type AccountPlans,
  type AuthenticatedAccount,
  keyOf,
  AuthenticatedKey,
} from "../authenticated-key.ts";
import { KeyCache } from "../key-cache.ts";
import type { KeyEnvironment } from "../keys.ts";
import type { PlanTable } from "../plans.ts";
import { RateWindow } from "../rate-window.ts";
import type { LogEntry, RecentRow } from "./charge-log.ts";
import { reading, type Connection } from "./state-file.ts";

/** What an account has used in one period. */
export interface Tally {
  readonly name: string;
  used: number;
  /** The log's entry of the last request to each endpoint: that of the next is nearly always the same. */
  readonly entries: Map<string, LogEntry>;
}

/** An account in use, as the state file has it. */
class Account implements AuthenticatedAccount {
  readonly id: string;
  readonly window = new RateWindow();
  /** By environment and period. What is not here yet is in the file, and in no unfolded row. */
  readonly tallies = { live: new Map<string, Tally>(), test: new Map<string, Tally>() };
  plans: AccountPlans;
  /** Whether it was removed: a request of it that is under way counts for nothing. */
  isGone = false;

  constructor(id: string, plans: AccountPlans) {
    this.id = id;
    this.plans = plans;
  }
}

/** The accounts in use. An account is read when its first request comes, and then kept. */
export class AccountMemory {
  readonly #plans: PlanTable;
  readonly #accounts = new Map<string, Account>();
  /** What to count in an account's window when its first request comes after a restart. */
  readonly #restored = new Map<string, (readonly [atMs: number, requests: number])[]>();
  readonly #sql;

  constructor(db: Connection, plans: PlanTable) {
    this.#plans = plans;
    this.#sql = {
      account: db.prepare("SELECT plan, created_ms FROM accounts WHERE id = ?").raw(),
      used: db
        .prepare("SELECT used FROM usage WHERE account_id = ? AND env = ? AND period = ?")
        .raw(),
    };
  }

  /** An account that exists. */
  get(id: string): Account {
    let account = this.#accounts.get(id);
    if (account === undefined) {
      account = new Account(id, this.#plansOf(id));
      for (const [atMs, requests] of this.#restored.get(id) ?? [])
        account.window.add(atMs, requests);
      this.#restored.delete(id);
      this.#accounts.set(id, account);
    }
    return account;
  }

  /** Reads an account's plan again, if the account is in use, and forgets one that was removed. */
  changed(id: string): void {
    const account = this.#accounts.get(id);
    if (account === undefined) return;
    account.isGone = reading(() => this.#sql.account.get([id])) === undefined;
    if (account.isGone) this.#accounts.delete(id);
    else account.plans = this.#plansOf(id);
  }

  /** Rebuilds windows from requests by the second. Each counts at its end, or now: too late, not too early. */
  restoreWindows(rows: readonly RecentRow[], { nowMs, monotonicMs }: AccountsClock): void {
    const wallMs = nowMs();
    const steadyMs = monotonicMs();
    for (const [accountId, second, requests] of rows) {
      const ageMs = Math.max(0, wallMs - (second + 1) * 1000);
      const of = this.#restored.get(accountId) ?? [];
      this.#restored.set(accountId, of);
      of.push([steadyMs - ageMs, requests]);
    }
  }

  /** What an account may do at an instant, and what it counts in. */
  planPeriodAt(account: Account, env: KeyEnvironment, nowMs: number) {
    const { plan, period } = planPeriodAt(account.plans, env, nowMs);
    return { plan, period, tally: this.tallyOf(account, env, period.name) };
  }

  tallyOf(account: Account, env: KeyEnvironment, period: string): Tally {
    const tallies = account.tallies[env];
    let tally = tallies.get(period);
    if (tally === undefined) {
      const row = reading(() => this.#sql.used.get([account.id, env, period]));
      tally = {
        name: period,
        used: (row as readonly [number] | undefined)?.[0] ?? 0,
        entries: new Map(),
      };
      tallies.set(period, tally);
    }
    return tally;
  }

  #plansOf(id: string): AccountPlans {
    const row = reading(() => this.#sql.account.get([id]));
    if (row === undefined) throw new AccountsUnavailable(`the account ${id} is not in the file`);
    const [plan, createdMs] = row as readonly [plan: string, createdMs: number];
    return accountPlans(this.#plans, { id, plan, createdMs });
  }
}

const FIND = `
SELECT id, account_id, env, expires_ms, last_used_ms FROM keys
WHERE hash = ? AND revoked_ms IS NULL AND (SELECT suspended_ms FROM accounts WHERE id = account_id) IS NULL`;

type KeyRow = readonly [
  keyId: string,
  accountId: string,
  env: KeyEnvironment,
  expiresMs: number | null,
  lastUsedMs: number | null,
];

/** The account behind a caller that `authenticate` gave out, unless it was removed since. */
export function accountOf(caller: Caller): Account {
  const account = keyOf(caller).account as Account; // those of this store are
  if (account.isGone) throw new AccountsUnavailable(`the account ${account.id} was removed`);
  return account;
}

/** Finds whom a key belongs to. Keys are read when they are first seen, whatever their number. */
export class KeyDirectory {
  readonly #memory: AccountMemory;
  readonly #select;
  readonly #cache: KeyCache<AuthenticatedKey<Account>>;

  constructor(db: Connection, memory: AccountMemory, monotonicMs: () => number) {
    this.#memory = memory;
    this.#select = db.prepare(FIND).raw();
    this.#cache = new KeyCache(monotonicMs);
  }

  find(authorization: string): AuthenticatedKey<Account> | undefined {
    return this.#cache.find(authorization) ?? this.#read(authorization);
  }

  /** Forgets all keys, since some have changed. */
  changed(): void {
    this.#cache.clear();
  }

  #read(authorization: string): AuthenticatedKey<Account> | undefined {
    const hash = this.#cache.hashOf(authorization);
    if (hash === undefined) return undefined;
    const row = reading(() => this.#select.get([hash])) as KeyRow | undefined;
    if (row === undefined) {
      this.#cache.refuse(hash);
      return undefined;
    }
    const [keyId, accountId, env, expiresMs, lastUsedMs] = row;
    const facts = { keyId, env, expiresMs, lastUsedMs };
    const key = new AuthenticatedKey(facts, this.#memory.get(accountId));
    this.#cache.keep(authorization, key);
    return key;
  }
}
