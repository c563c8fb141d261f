import type { KeyEnvironment } from "../accounts.ts";
import {
  isInForce,
  type AccountRecord,
  type AccountReport,
  type AccountsAdmin,
  type AccountUsage,
  type EndpointUsage,
  type KeyRecord,
  type KeyReference,
  type NewAccount,
  type NewKey,
  type RotatedKey,
} from "../admin.ts";
import { allowancesOf, keyEnded } from "../admin-rules.ts";
import type { PlanTable } from "../plans.ts";
import type { AccountTable } from "./account-table.ts";
import type { ChargeLog } from "./charge-log.ts";
import type { KeyTable } from "./key-table.ts";
import type { Ledger } from "./ledger.ts";
import { reading } from "./state-file.ts";

export interface SqliteAdminOptions {
  readonly accounts: AccountTable;
  readonly keys: KeyTable;
  readonly ledger: Ledger;
  readonly log: ChargeLog;
  readonly plans: PlanTable;
  readonly nowMs: () => number;
  /** Called when an account or its keys have changed, before anything else happens. */
  readonly changed: (accountId: string) => void;
}

/**
 * The operator's side of a state file, in the process that owns it: what it changes holds from the next request. A key
 * is shown once, and a revoked one must stay so: each change is forced to the disk.
 */
export class SqliteAdmin implements AccountsAdmin {
  readonly #options: SqliteAdminOptions;

  constructor(options: SqliteAdminOptions) {
    this.#options = options;
  }

  async createAccount(request: { email: string; plan: string }): Promise<NewAccount> {
    const { accounts, keys } = this.#options;
    return this.#change((nowMs) => {
      const account = accounts.insert(request, nowMs);
      return { account, ...keys.insert(account.id, "live", nowMs) };
    });
  }

  async findAccount(idOrEmail: string): Promise<AccountRecord> {
    return this.#read((nowMs) => this.#options.accounts.find(idOrEmail, nowMs));
  }

  async listAccounts(
    after: AccountRecord | undefined,
    limit: number,
  ): Promise<readonly AccountRecord[]> {
    return this.#read((nowMs) => this.#options.accounts.list(after, limit, nowMs));
  }

  /** If the plans count in different periods (trial and month), the larger count holds. */
  async setPlan(accountId: string, plan: string): Promise<AccountRecord> {
    const { accounts, ledger } = this.#options;
    return this.#change((nowMs) => {
      const { from, to } = accounts.setPlan(accountId, plan, nowMs);
      if (from !== to) ledger.moveUsage(accountId, from, to);
      return accounts.get(accountId, nowMs);
    }, accountId);
  }

  async usageOf(accountId: string): Promise<AccountUsage> {
    return this.#read((nowMs) => this.#usageOf(accountId, nowMs));
  }

  /** What the account itself is shown. */
  report(accountId: string, nowMs: number): AccountReport {
    return this.#read(() => {
      const keys = this.#options.keys.list(accountId).filter((key) => isInForce(key, nowMs));
      return { ...this.#usageOf(accountId, nowMs), keys };
    });
  }

  async createKey(accountId: string, env: KeyEnvironment): Promise<NewKey> {
    const { accounts, keys } = this.#options;
    return this.#change(
      (nowMs) => keys.insert(accounts.get(accountId, nowMs).id, env, nowMs),
      accountId,
    );
  }

  async listKeys(accountId: string): Promise<readonly KeyRecord[]> {
    const { accounts, keys } = this.#options;
    return this.#read((nowMs) => keys.list(accounts.get(accountId, nowMs).id));
  }

  async rotateKey(reference: KeyReference, graceMs: number): Promise<RotatedKey> {
    const { keys } = this.#options;
    const { accountId } = this.#read(() => keys.get(reference));
    return this.#change((nowMs) => {
      const old = keys.get(reference);
      if (!isInForce(old, nowMs)) throw keyEnded(old.id);
      if (graceMs === 0) keys.revoke(old.id, nowMs);
      else keys.expire(old.id, nowMs + graceMs);
      const made = keys.insert(old.accountId, old.env, nowMs);
      return { ...made, replaced: keys.get({ id: old.id }) };
    }, accountId);
  }

  async revokeKey(reference: KeyReference): Promise<KeyRecord> {
    const { keys } = this.#options;
    const { id, accountId } = this.#read(() => keys.get(reference));
    return this.#change((nowMs) => {
      keys.revoke(id, nowMs);
      return keys.get({ id });
    }, accountId);
  }

  /** The caller closes the file. */
  async close(): Promise<void> {}

  #usageOf(accountId: string, nowMs: number): AccountUsage {
    const { accounts, ledger, log, plans } = this.#options;
    const usedIn = (env: KeyEnvironment, period: string) => ledger.usedIn(accountId, env, period);
    return {
      allowances: allowancesOf(accounts.get(accountId, nowMs), plans, nowMs, usedIn),
      endpoints: joined([...accounts.endpoints(accountId, nowMs), ...log.unfolded(accountId)]),
    };
  }

  async #change<T>(work: (nowMs: number) => T, accountId?: string): Promise<T> {
    const { ledger, nowMs, changed } = this.#options;
    const result = ledger.transaction(() => work(nowMs()));
    if (accountId !== undefined) changed(accountId);
    await ledger.durable();
    return result;
  }

  #read<T>(work: (nowMs: number) => T): T {
    return reading(() => work(this.#options.nowMs()));
  }
}

/** Adds up what is counted in the same place, in the order of days. */
function joined(counts: readonly EndpointUsage[]): readonly EndpointUsage[] {
  const rows = new Map<string, EndpointUsage>();
  for (const each of counts) {
    const name = `${each.day} ${each.env} ${each.endpoint}`;
    const { calls, units } = rows.get(name) ?? { calls: 0, units: 0 };
    rows.set(name, { ...each, calls: each.calls + calls, units: each.units + units });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
