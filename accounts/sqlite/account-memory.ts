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

/** An account's usage in one period. */
export interface Tally {
  readonly name: string;
  used: number;
  /** The last log entry of each endpoint: that of the next request is nearly always the same. */
  readonly entries: Map<string, LogEntry>;
}

/** An account in use, as it is in the state file. */
class Account implements AuthenticatedAccount {
  readonly id: string;
  readonly window = new RateWindow();
  /** By environment and period. A tally that is missing here is in the file, with no unfolded requests. */
  readonly tallies = { live: new Map<string, Tally>(), test: new Map<string, Tally>() };
  plans: AccountPlans;
  /** Whether it was removed: a request under way is not counted. */
  isGone = false;

  constructor(id: string, plans: AccountPlans) {
    this.id = id;
    this.plans = plans;
  }
}

/** The accounts in use. An account is read at its first request and then kept. */
export class AccountMemory {
  readonly #plans: PlanTable;
  readonly #accounts = new Map<string, Account>();
  /** The requests from before a restart, which are added to an account's window at its first request. */
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

  /** An account, which must exist. */
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

  /** Reads the plan of an account in use again, and drops an account that was removed. */
  changed(id: string): void {
    const account = this.#accounts.get(id);
    if (account === undefined) return;
    account.isGone = reading(() => this.#sql.account.get([id])) === undefined;
    if (account.isGone) this.#accounts.delete(id);
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
    const account = accountOf(caller);
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

/** The account of a caller that `authenticate` returned. Throws if it was removed since. */
export function accountOf(caller: Caller): Account {
  const account = keyOf(caller).account as Account; // those of this store are
  if (account.isGone) throw new AccountsUnavailable(`the account ${account.id} was removed`);
  return account;
}

/** Finds the account of a key. Keys are read when they are first seen, however many there are. */
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

  /** Drops all cached keys. Call when any key has changed. */
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
