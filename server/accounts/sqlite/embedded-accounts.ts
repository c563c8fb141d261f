import {
  AccountsUnavailable,
  type Accounts,
  type Caller,
  type ChargeRequest,
  type QuotaState,
  type RateDecision,
} from "../accounts.ts";
import { RetentionClock } from "../../process/retention-clock.ts";
import type { AccountReport } from "../admin.ts";
import type { AccountsClock } from "../clock.ts";
import { missingPlans, type PlanTable } from "../plans.ts";
import { quotaState } from "../quota.ts";
import { AccountTable } from "./account-table.ts";
import { Charges, openStandingAt } from "./charges.ts";
import { KeyDirectory } from "./directory.ts";
import { GroupSettlement } from "./group-settlement.ts";
import { MeterBusy } from "./held-meter.ts";
import { Housekeeping } from "./housekeeping.ts";
import { KeyTable } from "./key-table.ts";
import { KeyUse } from "./key-use.ts";
import { isExpired, isQuiet, KnownCaller, settleCaller, type KnownKey } from "./known-key.ts";
import { Ledger } from "./ledger.ts";
import { fileBehindLinks } from "./linked-file.ts";
import { MeterBooks } from "./meter-books.ts";
import { METERS_REPLACED, openMeterFile, type MeterFile } from "./meter-file.ts";
import { Openings } from "./openings.ts";
import { PatientQueue } from "./patient-queue.ts";
import { Settling } from "./settling.ts";
import { Sql } from "./sql.ts";
import { openStateFile, storeFailure, type Connection } from "./state-file.ts";

const HOUSEKEEPING_MS = 1_000;
const LOCK_WAIT_MS = 2_000;
/** A read waits for a lock only while another process is opening or repairing the file. */
const READ_WAIT_MS = 250;

export interface EmbeddedAccountsOptions {
  readonly file: string;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
  /**
   * Called with what an operator should know: a plan in use that is missing from the table, a failing disk.
   */
  readonly warn?: (message: string) => void;
  /**
   * Milliseconds between rounds of housekeeping; null for none, in which case the caller runs `housekeep`.
   */
  readonly housekeepingMs?: number | null;
  /** How long requests wait for another process's lock before they fail. */
  readonly lockWaitMs?: number;
  /** Identifies this boot of the operating system; the machine's own by default. */
  readonly bootId?: string;
}

/**
 * Accounts on one machine: who they are is in the state file, and what they use is in the meter file beside
 * it. Any number of processes may have both open at once.
 */
export class EmbeddedAccounts implements Accounts {
  readonly #options: EmbeddedAccountsOptions;
  /** All writes use one connection, which never waits in place; all reads use the other. */
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #meters: MeterFile;
  readonly #directory: KeyDirectory;
  readonly #ledger: Ledger;
  /** Reads the state of a month, on the reading connection. */
  readonly #readLedger: Ledger;
  readonly #openings: Openings;
  readonly #charges: Charges;
  /**
   * Two queues: one for work that waits for the state file's lock, one for work that waits for a single
   * meter's. Neither holds up the other.
   */
  readonly #fileWaits: PatientQueue;
  readonly #meterWaits: PatientQueue;
  /** What `report` reads, on the reading connection. */
  readonly #sql: Sql;
  readonly #accountTable: AccountTable;
  readonly #keyTable: KeyTable;
  readonly #keyUse: KeyUse;
  readonly #settling: Settling;
  readonly #housekeeping: Housekeeping;
  readonly #retention: RetentionClock;
  readonly #timer: NodeJS.Timeout | undefined;
  #isUnsettled = false;
  #closed = false;

  /** Makes the file and its tables if there are none. */
  constructor(options: EmbeddedAccountsOptions) {
    const { plans, clock, warn = () => {}, bootId } = options;
    const { housekeepingMs = HOUSEKEEPING_MS, lockWaitMs = LOCK_WAIT_MS } = options;
    const { monotonicMs } = clock;
    const file = fileBehindLinks(options.file);
    this.#options = options;
    const meters = openMeterFile(file, { bootId });
    this.#meters = meters;
    this.#writer = openStateFile(file, { busyMs: 0 });
    this.#reader = openStateFile(file, { busyMs: READ_WAIT_MS });
    const meterOf = (slot: number) => meters.at(slot);
    const newKeys = () => meters.newKeys;
    this.#directory = new KeyDirectory(this.#reader, { plans, monotonicMs, meterOf, newKeys });
    this.#readLedger = this.ledgerOn(this.#reader);
    this.#ledger = this.ledgerOn(this.#writer);
    this.#fileWaits = new PatientQueue({ monotonicMs, lockWaitMs });
    this.#meterWaits = new PatientQueue({ monotonicMs, lockWaitMs });
    const waits = { fileWaits: this.#fileWaits, meterWaits: this.#meterWaits };
    this.#openings = new Openings({ ledger: this.#ledger, ...waits });
    this.#charges = new Charges({
      ledger: this.#ledger,
      readLedger: this.#readLedger,
      openings: this.#openings,
      waits: this.#fileWaits,
    });
    this.#sql = new Sql(this.#reader);
    this.#accountTable = new AccountTable(this.#sql, plans);
    this.#keyTable = new KeyTable(this.#sql);
    this.#keyUse = new KeyUse(this.#writer);
    const books = new MeterBooks(this.#writer, meters);
    const settlement = new GroupSettlement(this.#writer, meters, books);
    this.#settling = new Settling({ meters, settlement, steadyMs: monotonicMs });
    const onReplaced = () => {
      warn(`the state file "${file}" is not there any more: ${METERS_REPLACED}`);
      meters.cutOff();
    };
    this.#housekeeping = new Housekeeping({ file, warn, onReplaced });
    this.#retention = new RetentionClock(clock);
    this.#warnOfMissingPlans(warn);
    if (housekeepingMs !== null) {
      this.#timer = setInterval(() => void this.housekeep(), housekeepingMs);
      this.#timer.unref();
    }
  }

  authenticate(
    credentials: string,
    nowMs: number,
  ): Caller | undefined | Promise<Caller | undefined> {
    const known = this.#directory.find(credentials);
    return known instanceof Promise
      ? known.then((found) => this.#callerOf(found, nowMs))
      : this.#callerOf(known, nowMs);
  }

  #callerOf(known: KnownKey | undefined, nowMs: number): Caller | undefined {
    if (known === undefined) return undefined;
    if (isQuiet(known, nowMs)) return known.callerNow;
    if (isExpired(known, nowMs)) return undefined;
    settleCaller(known, nowMs, this.#keyUse.note(known, nowMs));
    return known.callerNow;
  }

  /** Uses the monotonic clock, so that jumps of the wall clock neither open nor close the window. */
  admit(caller: Caller, nowMs: number): RateDecision | Promise<RateDecision> {
    const { meter } = KnownCaller.keyOf(caller);
    const { ratePerMinute } = caller.plan;
    const { monotonicMs } = this.#options.clock;
    const decision = meter?.admit(ratePerMinute, monotonicMs());
    if (decision !== undefined) return decision;
    if (meter === undefined) return this.#admitFirst(caller, nowMs);
    return this.#meterWaits.run(() => admitted(meter.admit(ratePerMinute, monotonicMs())));
  }

  /** The account's very first request: makes its record first. */
  #admitFirst(caller: Caller, nowMs: number): RateDecision | Promise<RateDecision> {
    const { monotonicMs } = this.#options.clock;
    return toldBy((tell) => {
      this.#openings.open({ caller, nowMs }, (outcome) => {
        if (outcome instanceof Error) {
          tell(outcome);
        } else {
          const admit = () => outcome.meter?.admit(caller.plan.ratePerMinute, monotonicMs());
          this.#meterWaits.start(() => admitted(admit()), tell);
        }
      });
    });
  }

  charge(request: ChargeRequest): void {
    if (this.#closed) request.settle(new AccountsUnavailable("the accounts are closed"));
    else if (this.#meters.isReplaced) request.settle(new AccountsUnavailable(METERS_REPLACED));
    else this.#charges.charge(request);
  }

  quota(caller: Caller, nowMs: number): QuotaState {
    const known = KnownCaller.keyOf(caller);
    const standing = known.current ? openStandingAt(known, nowMs) : undefined;
    const used = standing === undefined ? undefined : known.meter?.read(standing);
    if (standing !== undefined && used !== undefined) {
      return quotaState(used, standing.caller.plan.callsPerMonth, standing.period, nowMs);
    }
    try {
      return this.#readLedger.stateOf(caller, nowMs);
    } catch (error) {
      throw storeFailure(error);
    }
  }

  report(caller: Caller, nowMs: number): AccountReport | Promise<AccountReport> {
    const { accountId } = caller;
    const read = () =>
      this.#sql.read(() => ({
        ...this.#accountTable.usage(accountId, nowMs),
        keys: this.#keyTable.listInForce(accountId, nowMs),
      }));
    if (KnownCaller.keyOf(caller).meter?.isChanged !== true) return read();
    const settled = this.#fileWaits.run(() => this.#ledger.settle(accountId));
    return settled instanceof Promise ? settled.then(read) : read();
  }

  /** Reads something small; throws `AccountsUnavailable` where the file cannot be read. */
  ping(): void {
    this.#sql.read(() => this.#sql.one("SELECT revision FROM store"));
  }

  /**
   * The accounts' ledger on a connection of the caller's, for transactions that write more than a charge (a
   * job and its charge). Open that connection with `openStateFile` on the same file.
   */
  ledgerOn(db: Connection): Ledger {
    return new Ledger(db, this.#directory, this.#meters);
  }

  /** Runs one round of housekeeping. With `housekeepingMs` set, rounds run by themselves. */
  async housekeep(): Promise<void> {
    await this.#keyUse.write();
    if (this.#closed) return; // `close` does the rest
    await this.#settle(() => this.#settling.round());
    await this.#housekeeping.round(this.#retention.readMs());
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    this.#directory.close();
    await this.#openings.settled();
    await this.#keyUse.write();
    await this.#settle(() => this.#settling.all());
    await this.#housekeeping.close();
    this.#writer.close();
    this.#reader.close();
    this.#meters.close();
  }

  /** A failure leaves the calls counted in the meter file until the state file can take them. */
  async #settle(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#isUnsettled = false;
    } catch (error) {
      if (!this.#isUnsettled) this.#options.warn?.(`usage cannot be settled: ${String(error)}`);
      this.#isUnsettled = true;
    }
  }

  /** Hops through the index of plans, so that the cost does not grow with the number of accounts. */
  #warnOfMissingPlans(warn: (message: string) => void): void {
    const next = this.#reader.prepare("SELECT min(plan) FROM accounts WHERE plan > ?").raw();
    const missing: string[] = [];
    let [plan] = next.get("") as [string | null];
    while (plan !== null) {
      if (!this.#options.plans.has(plan)) missing.push(plan);
      [plan] = next.get(plan) as [string | null];
    }
    if (missing.length > 0) warn(missingPlans(missing));
  }
}

/**
 * Turns a callback into a result: returned at once if the callback runs at once, because a promise would move
 * the answer into a later turn.
 */
function toldBy<T extends object>(
  begin: (tell: (outcome: T | Error) => void) => void,
): T | Promise<T> {
  let outcome: T | Error | undefined;
  let tell = (told: T | Error): void => {
    outcome = told;
  };
  begin((told) => tell(told));
  if (outcome instanceof Error) throw outcome;
  if (outcome !== undefined) return outcome;
  return new Promise((resolve, reject) => {
    tell = (told) => (told instanceof Error ? reject(told) : resolve(told));
  });
}

function admitted(decision: RateDecision | undefined): RateDecision {
  if (decision === undefined) throw new MeterBusy();
  return decision;
}
