import { AccountsUnavailable, type Caller, type QuotaDecision } from "../accounts.ts";
import { dateOf, quotaState } from "../in-force.ts";
import type { KeyEnvironment } from "../keys.ts";
import type { AccountMemory, Tally } from "./account-memory.ts";
import type { ChargeLog } from "./charge-log.ts";
import type { WalSync } from "./wal-sync.ts";
import { inTransaction, storeFailure, type Connection } from "./state-file.ts";

/** The charge of a job, as it is in the job's row. */
export interface Payment {
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly period: string;
  readonly units: number;
  readonly chargedMs: number;
  /** The name under which usage lists it. */
  readonly endpoint: string;
}

interface LedgerOptions {
  readonly db: Connection;
  readonly memory: AccountMemory;
  readonly log: ChargeLog;
  readonly disk: WalSync;
  /** Stores the requests that came before a transaction. */
  readonly commit: () => void;
}

/** A write that leaves no trace. Setting a value to itself would not do, because SQLite writes no unchanged page. */
const TRACELESS_WRITE =
  "INSERT INTO charge_log (second, entries) VALUES (0, ''); DELETE FROM charge_log WHERE second = 0";

/** The usage of accounts as jobs and operators change it, in transactions. */
export class Ledger {
  /** The one connection to the state file. */
  readonly db: Connection;
  readonly #options: LedgerOptions;
  /** Reverts the changes in memory of the current transaction. */
  #undo: (() => void)[] = [];

  constructor(options: LedgerOptions) {
    this.db = options.db;
    this.#options = options;
  }

  /**
   * Commits the batch, and then runs work in one write transaction. If that fails, file and memory are as before, and
   * failures of SQLite are thrown as `AccountsUnavailable`. Must not be nested.
   */
  transaction<T>(work: () => T): T {
    this.#checkFile();
    this.#options.commit();
    this.#undo = [];
    try {
      return inTransaction(this.db, work);
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      throw storeFailure(error);
    } finally {
      this.#undo = [];
    }
  }

  /** Charges units inside `transaction`, for a request that the rate limit has counted. Refunds go to `period`. */
  chargeNow(charge: { caller: Caller; units: number; nowMs: number; endpoint: string }): {
    readonly decision: QuotaDecision;
    readonly period: string;
  } {
    const { caller, units, nowMs, endpoint } = charge;
    const { account, plan, period, tally } = this.#options.memory.termsAt(caller, nowMs);
    const charged = tally.used + units <= plan.callsPerMonth;
    if (charged) {
      const { env } = caller;
      const entry = { accountId: account.id, env, period: period.name, day: dateOf(nowMs) };
      this.#options.log.add([{ ...entry, endpoint, units, calls: 1 }]);
      this.#change(tally, tally.used + units);
    }
    const state = quotaState(tally.used, plan.callsPerMonth, period, nowMs);
    return { decision: { charged, plan, ...state }, period: period.name };
  }

  /** Refunds a job inside `transaction`. `forget`: the call is not counted, because no caller learned of it. */
  refund(payment: Payment, { forget }: { readonly forget: boolean }): void {
    const { accountId, env, period, units, chargedMs, endpoint } = payment;
    const { memory, log } = this.#options;
    const tally = memory.tallyOf(memory.get(accountId), env, period);
    const entry = { accountId, env, period, day: dateOf(chargedMs), endpoint };
    log.add([{ ...entry, units: -units, calls: forget ? -1 : 0 }]);
    this.#change(tally, Math.max(0, tally.used - units));
  }

  /** Raises an account's usage of a period to that of another, inside `transaction`: see `setPlan`. */
  moveUsage(accountId: string, from: string, to: string): void {
    const { memory, log } = this.#options;
    const account = memory.get(accountId);
    const { used } = memory.tallyOf(account, "live", from);
    const tally = memory.tallyOf(account, "live", to);
    if (used <= tally.used) return;
    log.addUsed({ accountId, env: "live", period: to, units: used - tally.used });
    this.#change(tally, used);
  }

  /** The quota as it is, without a charge. */
  quotaOf(caller: Caller, nowMs: number): QuotaDecision {
    const { plan, period, tally } = this.#options.memory.termsAt(caller, nowMs);
    return { charged: false, plan, ...quotaState(tally.used, plan.callsPerMonth, period, nowMs) };
  }

  usedIn(accountId: string, env: KeyEnvironment, period: string): number {
    const { memory } = this.#options;
    return memory.tallyOf(memory.get(accountId), env, period).used;
  }

  /** Resolves once everything written so far is on the disk; rejects if the disk fails. */
  durable(): Promise<void> {
    return this.#options.disk.sync();
  }

  /** Throws `AccountsUnavailable` if a small read fails or, with `writes`, a small write. */
  ping(writes: boolean): void {
    this.#checkFile();
    try {
      this.db.prepare("SELECT turn FROM queue").get();
      if (writes) inTransaction(this.db, () => this.db.exec(TRACELESS_WRITE));
    } catch (error) {
      throw storeFailure(error);
    }
  }

  #checkFile(): void {
    const { fault } = this.#options.disk;
    if (fault !== undefined) throw new AccountsUnavailable(fault);
  }

  #change(tally: Tally, used: number): void {
    const before = tally.used;
    this.#undo.push(() => {
      tally.used = before;
    });
    tally.used = used;
  }
}
