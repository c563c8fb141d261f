import {
  AccountsUnavailable,
  type Caller,
  type ChargeDecision,
  type ChargeRequest,
  type KeyEnvironment,
  type QuotaState,
} from "../accounts.ts";
import { dateOf } from "../period.ts";
import { quotaState } from "../quota.ts";
import type { KeyDirectory } from "./directory.ts";
import { MeterBusy, type HeldAllowance } from "./held-meter.ts";
import {
  KnownCaller,
  type KnownKey,
  openStanding,
  type Standing,
  standingAt,
} from "./known-key.ts";
import { MeterBooks, type UnitsBooked } from "./meter-books.ts";
import type { MeterFile } from "./meter-file.ts";
import type { Connection } from "./state-file.ts";

type Charge = Omit<ChargeRequest, "settle">;

/** A caller whose calls are to be counted from this instant on. */
export type Wanted = Pick<Charge, "caller" | "nowMs">;

interface Opened {
  readonly known: KnownKey;
  readonly standing: Standing;
  readonly allowance: HeldAllowance;
  readonly slot: number;
}

/** Units paid for a job, as the job's row has them. */
interface Payment {
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly period: string;
  readonly units: number;
  /** When they were charged. */
  readonly chargedMs: number;
}

/**
 * What accounts have used, and whether a charge fits, on one connection to the state file. This is the slow
 * way, for what the meter file cannot decide by itself (see `meter-books.ts`). Everything that writes belongs
 * inside `transaction`.
 */
export class Ledger {
  readonly #directory: KeyDirectory | undefined;
  readonly #meters: MeterFile;
  readonly #books: MeterBooks;

  /** Without a directory of keys it cannot charge: a process that runs jobs only gives units back. */
  constructor(db: Connection, directory: KeyDirectory | undefined, meters: MeterFile) {
    this.#directory = directory;
    this.#meters = meters;
    this.#books = new MeterBooks(db, meters);
  }

  /** Runs work in one write transaction: all of it reaches the file and the meters, or none of it. */
  transaction<T>(work: () => T): T {
    return this.#books.transaction(work);
  }

  /**
   * Opens the caller's allowance, so that its calls can be counted in the meter file. The account is read
   * again under the lock: nobody can change it meanwhile, so what is read is in force.
   */
  open(caller: Caller, nowMs: number): KnownKey {
    return this.#remember(this.transaction(() => this.#open(caller, nowMs)));
  }

  /**
   * Opens many in one transaction. An allowance that cannot be opened gets its failure as its result; that
   * shows before anything is written for it. A failure of the file is everybody's.
   */
  openAll(wanted: readonly Wanted[]): readonly (KnownKey | Error)[] {
    const opened = this.transaction(() =>
      wanted.map(({ caller, nowMs }) => {
        try {
          return this.#open(caller, nowMs);
        } catch (error) {
          if (error instanceof MeterBusy || error instanceof AccountsUnavailable) return error;
          throw error;
        }
      }),
    );
    return opened.map((each) => (each instanceof Error ? each : this.#remember(each)));
  }

  /**
   * Whether the allowance is open already, as after a restart of this process; if so, remembers it. Only
   * reads.
   */
  findOpen(known: KnownKey, nowMs: number): boolean {
    const { meter, accountId, env } = known;
    if (meter === undefined || !known.current) return false;
    const standing = standingAt(known, nowMs);
    const { revision } = this.#chargedKeys();
    const expected = { accountId, env, stamp: standing.stamp, revision };
    const epoch = this.#books.openEpoch(meter, expected);
    if (epoch !== undefined) known.standing = openStanding(standing, epoch);
    return epoch !== undefined;
  }

  /** Makes one charge, as a row of the state file. `period` names the period that a refund goes back to. */
  chargeNow({ caller, units, nowMs, endpoint }: Charge): {
    readonly decision: ChargeDecision;
    readonly period: string;
  } {
    if (!Number.isSafeInteger(units) || units < 1) {
      throw new RangeError(`a charge is a positive whole number of units, got ${units}`);
    }
    const { standing, allowance } = this.#open(caller, nowMs);
    const { env, accountId, plan } = standing.caller;
    const period = standing.period.name;
    const used = allowance.total ?? 0; // an open allowance has a total
    const limit = plan.callsPerMonth;
    const charged = used + units <= limit;
    const booked = { accountId, env, period, day: dateOf(nowMs), endpoint, calls: 1, units };
    if (charged) this.#books.add(booked);
    const state = quotaState(charged ? used + units : used, limit, standing.period, nowMs);
    return { decision: { charged, plan, ...state }, period };
  }

  /**
   * Gives back what a job cost. `forget` also removes the call, if nobody was ever told that it was charged.
   */
  refund(payment: Payment, { forget }: { readonly forget: boolean }): void {
    const day = dateOf(payment.chargedMs);
    const booked: UnitsBooked = { ...payment, day, endpoint: "/backtests", calls: forget ? 1 : 0 };
    this.#books.takeBack(booked);
  }

  /** The state of a caller's period, charging nothing. */
  stateOf(caller: Caller, nowMs: number): QuotaState {
    const { caller: now, period } = standingAt(KnownCaller.keyOf(caller), nowMs);
    const used = this.#books.usedIn(now.accountId, now.env, period.name);
    return quotaState(used, now.plan.callsPerMonth, period, nowMs);
  }

  /** Writes an account's usage to the state file, for those who read it there. */
  settle(accountId: string): void {
    this.transaction(() => this.#books.settleAccount(accountId));
  }

  #chargedKeys(): KeyDirectory {
    if (this.#directory === undefined) throw new Error("this process charges nobody");
    return this.#directory;
  }

  #remember({ known, standing, allowance, slot }: Opened): KnownKey {
    known.standing = openStanding(standing, allowance.epoch);
    known.meter = this.#meters.at(slot);
    return known;
  }

  #open(caller: Caller, nowMs: number): Opened {
    const directory = this.#chargedKeys();
    if (this.#books.revision !== directory.revision) directory.refresh();
    const known = directory.reread(caller);
    const standing = standingAt(known, nowMs);
    const held = this.#books.open(known.accountId, known.env, standing.stamp);
    return { known, standing, allowance: held.of(known.env), slot: held.meter.slot };
  }
}
