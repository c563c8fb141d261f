import {
  AccountsUnavailable,
  type Accounts,
  type Caller,
  type ChargeRequest,
  type RateDecision,
} from "../accounts.ts";
import type { AccountReport } from "../admin.ts";
import type { AccountsClock } from "../clock.ts";
import { keyOf, type KeyDirectory } from "./directory.ts";
import type { KeyUse } from "./key-use.ts";
import type { Ledger } from "./ledger.ts";

export interface SqliteAccountsOptions {
  readonly directory: KeyDirectory;
  readonly keyUse: KeyUse;
  readonly ledger: Ledger;
  readonly clock: AccountsClock;
  readonly report: (accountId: string, nowMs: number) => Promise<AccountReport>;
  /** Why the file cannot be used any more; undefined as long as it can. */
  readonly fault: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** Accounts in the state file that this process owns. */
export class SqliteAccounts implements Accounts {
  readonly #options: SqliteAccountsOptions;

  constructor(options: SqliteAccountsOptions) {
    this.#options = options;
  }

  authenticate(authorization: string, nowMs: number): Caller | undefined {
    const key = this.#options.directory.find(authorization);
    if (key === undefined || nowMs >= key.expiresMs) return undefined;
    key.plan = key.account.planAt(key.env, nowMs);
    this.#options.keyUse.note(key, nowMs);
    return key;
  }

  admit(caller: Caller): RateDecision {
    const { window } = keyOf(caller).account;
    return window.admit(caller.plan.ratePerMinute, this.#options.clock.monotonicMs());
  }

  charge(request: ChargeRequest): void {
    const fault = this.#options.fault();
    if (fault === undefined) this.#options.ledger.charge(request);
    else request.settle(new AccountsUnavailable(fault));
  }

  report({ accountId }: Caller, nowMs: number): Promise<AccountReport> {
    return this.#options.report(accountId, nowMs);
  }

  /** Reads something small. */
  ping(): void {
    const fault = this.#options.fault();
    if (fault !== undefined) throw new AccountsUnavailable(fault);
    this.#options.ledger.ping();
  }

  close(): Promise<void> {
    return this.#options.close();
  }
}
