import {
  AccountsUnavailable,
  type Caller,
  type ChargeOutcome,
  type ChargeRequest,
  type QuotaDecision,
  type AccountsClock,
} from "../accounts.ts";
import type { KeyEnvironment } from "../keys.ts";
import { dateOf, quotaState } from "../period.ts";
import type { AccountMemory, Tally } from "./account-memory.ts";
import { logEntry, type ChargeLog, type LogEntry } from "./charge-log.ts";
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

/** A request of the batch that is decided and not stored yet. */
interface Decided {
  readonly request: ChargeRequest;
  readonly outcome: ChargeOutcome;
  /** The units that were added to the tally. */
  readonly units: number;
  readonly tally: Tally;
}

interface LedgerOptions {
  readonly db: Connection;
  readonly memory: AccountMemory;
  readonly log: ChargeLog;
  readonly clock: AccountsClock;
  readonly disk: WalSync;
}

/** A write that leaves no trace. Setting a value to itself would not do, because SQLite writes no unchanged page. */
const TRACELESS_WRITE =
  "INSERT INTO charge_log (second, entries) VALUES (0, ''); DELETE FROM charge_log WHERE second = 0";

/** The usage of accounts, in memory. The requests of a turn are decided in order, stored together, and settled. */
export class Ledger {
  /** The one connection to the state file. */
  readonly db: Connection;
  readonly #options: LedgerOptions;
  #batch: ChargeRequest[] = [];
  /** Reverts the changes in memory of the current transaction. */
  #undo: (() => void)[] = [];
  #hasFailed = false;
  #isHeld = false;
  #closed = false;

  constructor(options: LedgerOptions) {
    this.db = options.db;
    this.#options = options;
  }

  /** Adds a request to this turn's batch. */
  charge(request: ChargeRequest): void {
    const fault = this.#closed ? "the accounts are closed" : this.#options.disk.fault;
    if (fault !== undefined) {
      request.settle(new AccountsUnavailable(fault));
      return;
    }
    if (this.#batch.length === 0) setImmediate(() => this.#isHeld || this.commit());
    this.#batch.push(request);
  }

  /** Stores the batch and settles it. If that fails, charges fail, and free requests are answered from memory. */
  commit(): void {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    const decided: Decided[] = [];
    const entries: LogEntry[] = [];
    for (const request of batch) {
      try {
        const entry = this.#decide(request, decided);
        if (entry !== undefined) entries.push(entry);
      } catch (error) {
        request.settle(storeFailure(error)); // its usage could not be read
      }
    }
    const failure = this.#insert(entries);
    if (failure !== undefined) for (const { tally, units } of decided) tally.used -= units;
    for (const each of decided) this.#settle(each, failure);
  }

  /**
   * Commits the batch, and then runs work in one write transaction. If that fails, file and memory are as before, and
   * failures of SQLite are thrown as `AccountsUnavailable`. Must not be nested.
   */
  transaction<T>(work: () => T): T {
    this.#checkFile();
    this.commit();
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

  /** Holds back the commits of requests while work runs that needs the file to itself. */
  async hold(work: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    try {
      await work();
    } finally {
      this.#isHeld = false;
      this.commit();
    }
  }

  /** Resolves once everything written so far is on the disk; rejects if the disk fails. */
  durable(): Promise<void> {
    return this.#options.disk.sync();
  }

  /** Throws `AccountsUnavailable` if a small read fails or, after a failed commit, a small write. */
  ping(): void {
    this.#checkFile();
    try {
      this.db.prepare("SELECT turn FROM queue").get();
      if (this.#hasFailed) inTransaction(this.db, () => this.db.exec(TRACELESS_WRITE));
      this.#hasFailed = false;
    } catch (error) {
      throw storeFailure(error);
    }
  }

  /** Commits the batch and accepts nothing more. */
  close(): void {
    this.commit();
    this.#closed = true;
  }

  /** Decides a request, counts it in memory and returns its log entry. */
  #decide(request: ChargeRequest, decided: Decided[]): LogEntry | undefined {
    const { caller, nowMs, endpoint } = request;
    const wanted = request.connection.open;
    const { account, plan, period, tally } = this.#options.memory.termsAt(caller, nowMs);
    const rate = request.rate!; // `admit` of this store always decides
    const kind = kindOf(request, plan.callsPerMonth - tally.used);
    const units = wanted && kind === "charged" ? request.units : 0;
    if (wanted) {
      tally.used += units;
      const { used, quota } = quotaState(tally.used, plan.callsPerMonth, period, nowMs);
      decided.push({ request, outcome: { kind, plan, rate, used, quota }, units, tally });
    }
    if (kind === "rate_limited") return undefined;
    // A request whose connection has closed was admitted, so it counts for the rate limit all the same.
    const day = dateOf(nowMs);
    const last = tally.entries.get(endpoint);
    if (last?.units === units && last.day === day) return last;
    const { env } = caller;
    const call = { accountId: account.id, env, period: period.name, day, endpoint, units };
    const entry = logEntry(call);
    tally.entries.set(endpoint, entry);
    return entry;
  }

  #checkFile(): void {
    const fault = this.#options.disk.fault;
    if (fault !== undefined) throw new AccountsUnavailable(fault);
  }

  #insert(entries: readonly LogEntry[]): Error | undefined {
    if (entries.length === 0) return undefined;
    try {
      this.#options.log.insert(Math.floor(this.#options.clock.nowMs() / 1000), entries);
      this.#hasFailed = false;
      return undefined;
    } catch (error) {
      this.#hasFailed = true;
      return storeFailure(error);
    }
  }

  #settle({ request, outcome }: Decided, failure: Error | undefined): void {
    if (failure === undefined) {
      request.settle(outcome);
    } else if (request.units > 0 || !(failure instanceof AccountsUnavailable)) {
      request.settle(failure);
    } else {
      const { used, quota } = this.quotaOf(request.caller, request.nowMs);
      request.settle({ ...outcome, used, quota });
    }
  }

  #change(tally: Tally, used: number): void {
    const before = tally.used;
    this.#undo.push(() => {
      tally.used = before;
    });
    tally.used = used;
  }
}

function kindOf({ units, rate }: ChargeRequest, left: number): ChargeOutcome["kind"] {
  if (rate?.admitted === false) return "rate_limited";
  return units === 0 || units <= left ? "charged" : "quota_exceeded";
}
