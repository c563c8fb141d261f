import {
  AccountsUnavailable,
  type Accounts,
  type Caller,
  type ChargeRequest,
  type QuotaDecision,
  type RateDecision,
  type Spending,
} from "../accounts.ts";
import type { AccountReport } from "../admin.ts";
import { reportOf } from "../admin-rules.ts";
import type { AccountsClock } from "../clock.ts";
import type { KeyUse } from "../key-use.ts";
import type { PlanTable } from "../plans.ts";
import { accountOf, type KeyDirectory } from "./directory.ts";
import type { Ledger } from "./ledger.ts";
import type { SqliteAdminStore } from "./sqlite-admin-store.ts";

export interface SqliteAccountsOptions {
  readonly directory: KeyDirectory;
  readonly keyUse: KeyUse;
  readonly ledger: Ledger;
  readonly clock: AccountsClock;
  readonly store: SqliteAdminStore;
  readonly plans: PlanTable;
  readonly close: () => Promise<void>;
}

/** Accounts in the state file that this process owns. */
export class SqliteAccounts implements Accounts {
  readonly #options: SqliteAccountsOptions;

  constructor(options: SqliteAccountsOptions) {
    this.#options = options;
  }

  authenticate(authorization: string, nowMs: number): Caller | undefined {
    const caller = this.#options.directory.find(authorization)?.callerAt(nowMs);
    if (caller !== undefined) this.#options.keyUse.record(caller, nowMs);
    return caller;
  }

  admit(caller: Caller): RateDecision {
    const { window } = accountOf(caller);
    return window.admit(caller.plan.ratePerMinute, this.#options.clock.monotonicMs());
  }

  charge(request: ChargeRequest): void {
    this.#options.ledger.charge(request);
  }

  spend(spending: Spending): QuotaDecision {
    const { ledger } = this.#options;
    return ledger.transaction(() => ledger.chargeNow(spending)).decision;
  }

  report({ accountId }: Caller, nowMs: number): AccountReport {
    const { store, plans } = this.#options;
    const account = store.read(accountId, nowMs);
    if (account === undefined) throw new AccountsUnavailable(`account ${accountId} is gone`);
    return reportOf(account, plans, nowMs);
  }

  /** Reads something small. */
  ping(): void {
    this.#options.ledger.ping();
  }

  close(): Promise<void> {
    return this.#options.close();
  }
}
