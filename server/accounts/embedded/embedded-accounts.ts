import {
  AccountsUnavailable,
  type Accounts,
  type Caller,
  type ChargeDecision,
  type ChargeRequest,
  type QuotaState,
  type RateDecision,
} from "../accounts.ts";
import type { AccountReport } from "../admin.ts";
import type { AccountsClock } from "../clock.ts";
import type { PlanTable } from "../plans.ts";
import { RateLimiter } from "../rate.ts";
import { AccountTable } from "./account-table.ts";
import { callerAt, KeyDirectory } from "./directory.ts";
import { Housekeeping } from "./housekeeping.ts";
import { KeyTable } from "./key-table.ts";
import { KeyUse } from "./key-use.ts";
import { ChargeQueue } from "./charge-queue.ts";
import { Ledger } from "./ledger.ts";
import { Sql } from "./sql.ts";
import { openStateFile, storeFailure, type Connection } from "./state-file.ts";

const HOUSEKEEPING_MS = 1_000;
const CHARGE_LOCK_WAIT_MS = 2_000;
/** A read waits for a lock only while another process opens or repairs the file. */
const READ_WAIT_MS = 250;

export interface EmbeddedAccountsOptions {
  readonly file: string;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
  /** Told what an operator should know: a plan that is in use and not in the table, a disk that fails. */
  readonly warn?: (message: string) => void;
  /** Milliseconds between rounds of housekeeping; null for none, then `housekeep` is the caller's. */
  readonly housekeepingMs?: number | null;
  /** How long charges wait for another process's lock before they fail. */
  readonly lockWaitMs?: number;
}

/** Opens accounts kept in a local file. The file and its tables are made where there are none. */
export function openEmbeddedAccounts(options: EmbeddedAccountsOptions): EmbeddedAccounts {
  return new EmbeddedAccounts(options);
}

export class EmbeddedAccounts implements Accounts {
  readonly #options: EmbeddedAccountsOptions;
  /** Charges are written on one connection and never wait in place; everything else is read on the other. */
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #directory: KeyDirectory;
  readonly #charges: ChargeQueue;
  /** Reads the state of a month, on the reading connection. */
  readonly #readLedger: Ledger;
  /** What `report` reads, on the reading connection. */
  readonly #sql: Sql;
  readonly #accountTable: AccountTable;
  readonly #keyTable: KeyTable;
  readonly #keyUse: KeyUse;
  readonly #rate = new RateLimiter();
  readonly #housekeeping: Housekeeping;
  readonly #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: EmbeddedAccountsOptions) {
    const { file, plans, clock, warn = () => {} } = options;
    const { housekeepingMs = HOUSEKEEPING_MS, lockWaitMs = CHARGE_LOCK_WAIT_MS } = options;
    this.#options = options;
    this.#writer = openStateFile(file, { busyMs: 0 });
    this.#reader = openStateFile(file, { busyMs: READ_WAIT_MS });
    this.#directory = new KeyDirectory(this.#reader, plans, clock.monotonicMs);
    this.#readLedger = this.ledgerOn(this.#reader);
    this.#charges = new ChargeQueue({
      db: this.#writer,
      ledger: this.ledgerOn(this.#writer),
      monotonicMs: clock.monotonicMs,
      lockWaitMs,
    });
    this.#sql = new Sql(this.#reader);
    this.#accountTable = new AccountTable(this.#sql, plans);
    this.#keyTable = new KeyTable(this.#sql);
    this.#keyUse = new KeyUse(this.#writer);
    this.#housekeeping = new Housekeeping(file, warn);
    this.#warnOfMissingPlans(warn);
    if (housekeepingMs !== null) {
      this.#timer = setInterval(() => void this.housekeep(), housekeepingMs);
      this.#timer.unref();
    }
  }

  authenticate(key: string, nowMs: number): Caller | undefined {
    const known = this.#directory.find(key, nowMs);
    if (known === undefined) return undefined;
    this.#keyUse.note(known, nowMs);
    return callerAt(known, nowMs);
  }

  /** By the monotonic clock: the wall clock's jumps neither open nor close the window. */
  admit(caller: Caller, _nowMs: number): RateDecision {
    const { accountId, plan } = caller;
    return this.#rate.admit(accountId, plan.ratePerMinute, this.#options.clock.monotonicMs());
  }

  charge(caller: Caller, units: number, nowMs: number, endpoint = ""): Promise<ChargeDecision> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: ChargeDecision | Error) => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      };
      this.chargeLater({ caller, units, nowMs, endpoint, settle });
    });
  }

  chargeLater(request: ChargeRequest): void {
    if (this.#closed) request.settle(new AccountsUnavailable("the accounts are closed"));
    else this.#charges.add(request);
  }

  quota(caller: Caller, nowMs: number): QuotaState {
    try {
      return this.#readLedger.stateOf(caller, nowMs);
    } catch (error) {
      throw storeFailure(error);
    }
  }

  report({ accountId }: Caller, nowMs: number): AccountReport {
    return this.#sql.read(() => ({
      ...this.#accountTable.usage(accountId, nowMs),
      keys: this.#keyTable.listInForce(accountId, nowMs),
    }));
  }

  /** Reads something small; throws `AccountsUnavailable` where the file cannot be read. */
  ping(): void {
    this.#sql.read(() => this.#sql.one("SELECT revision FROM store"));
  }

  /**
   * The accounts' ledger on a connection of one's own, for transactions that write more than a charge
   * (a job and its charge). Open it with `openStateFile` on the same file.
   */
  ledgerOn(db: Connection): Ledger {
    return new Ledger(db, this.#directory);
  }

  /** One round of housekeeping; `housekeepingMs` does this by itself. */
  async housekeep(): Promise<void> {
    this.#keyUse.write();
    await this.#housekeeping.round(this.#options.clock.nowMs());
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#charges.settled();
    this.#keyUse.write();
    await this.#housekeeping.close();
    this.#writer.close();
    this.#reader.close();
  }

  /** Finds the plans in use by hopping through their index, however many accounts there are. */
  #warnOfMissingPlans(warn: (message: string) => void): void {
    const next = this.#reader.prepare("SELECT min(plan) FROM accounts WHERE plan > ?").raw();
    const missing: string[] = [];
    let [plan] = next.get("") as [string | null];
    while (plan !== null) {
      if (!this.#options.plans.has(plan)) missing.push(`"${plan}"`);
      [plan] = next.get(plan) as [string | null];
    }
    if (missing.length === 0) return;
    const names = missing.join(", ");
    warn(
      `accounts are on plans the plan table does not have: ${names}; they cannot be served until --plans names them`,
    );
  }
}
