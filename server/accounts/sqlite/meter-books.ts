import { AccountsUnavailable, type KeyEnvironment } from "../accounts.ts";
import { KEY_ENVIRONMENTS } from "../keys.ts";
import { HeldMeter, MeterBusy } from "./held-meter.ts";
import { METERS_REPLACED, nextSlot, type MeterFile } from "./meter-file.ts";
import { METERED_ENDPOINTS } from "./meter-layout.ts";
import { dayName, periodCode, periodName, type Stamp } from "./meter-stamp.ts";
import type { Meter } from "./meter.ts";
import type { Connection } from "./state-file.ts";
import { blobOf, NO_ROW, unsettledOf, type NoRow, type SettledRow } from "./unsettled.ts";

/**
 * The state file's side of the meters, on one connection.
 *
 * The counters in the meter file only ever grow. To settle them is to add them to `usage` and `calls`. How
 * far each was settled is stored in the same transaction, so settling again adds nothing.
 *
 * What the counters count for (period and day) changes only inside such a transaction and after its commit,
 * with the record's lock held. The same goes for a total that changes because a row was written to `usage`
 * itself. A process killed in between leaves the record locked, and whoever takes the lock over adds the
 * total up again.
 *
 * Locks are taken in one order, the state file's first. A record's lock is never waited for inside a
 * transaction.
 */
const SETTLED = "SELECT period, day, counts FROM settled WHERE slot = ? AND env = ?";
/**
 * One statement, so that it sees one state of the file. Calls settled between two statements would be counted
 * twice or not at all.
 */
const USED_AND_SETTLED = `
SELECT meters.slot, (SELECT used FROM usage WHERE account_id = ?1 AND env = ?2 AND period = ?3), settled.period, day, counts
FROM (SELECT ?1 AS account)
LEFT JOIN meters ON account_id = account
LEFT JOIN settled ON settled.slot = meters.slot AND env = ?2`;
/** The same for an account whose slot is known, with the store's head from the same state of the file. */
const STANDING = `
SELECT identity, revision, (SELECT used FROM usage WHERE account_id = ?1 AND env = ?2 AND period = ?3), settled.period, day, counts
FROM meter_file, store LEFT JOIN settled ON settled.slot = ?4 AND env = ?2`;
const ADD_USAGE = `
INSERT INTO usage VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET used = used + excluded.used`;
const ADD_CALLS = `
INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, units = units + excluded.units`;
const TAKE_UNITS = `
UPDATE usage SET used = max(0, used - ?) WHERE account_id = ? AND env = ? AND period = ?`;
const TAKE_CALLS = `
UPDATE calls SET calls = max(0, calls - ?), units = max(0, units - ?)
WHERE day = ? AND account_id = ? AND env = ? AND endpoint = ?`;

type UsedRow = readonly [slot: number | null, used: number | null, ...(SettledRow | NoRow)];

type StandingRow = readonly [
  identity: string,
  revision: number,
  used: number | null,
  ...(SettledRow | NoRow),
];

/** An allowance as it should be open, according to what was read at a revision of the store. */
export interface Expected {
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly stamp: Stamp;
  readonly revision: number;
}

/** Units that a row of the state file adds to an account's usage or takes from it. */
export interface UnitsBooked {
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly period: string;
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
  readonly units: number;
}

export class MeterBooks {
  readonly #db: Connection;
  readonly #meters: MeterFile;
  readonly #sql;
  readonly #held = new Map<number, HeldMeter>();
  #revision = 0;

  constructor(db: Connection, meters: MeterFile) {
    this.#db = db;
    this.#meters = meters;
    this.#sql = {
      head: db.prepare("SELECT identity, revision FROM meter_file, store").raw(),
      slot: db.prepare("SELECT slot FROM meters WHERE account_id = ?").raw(),
      lastSlot: db.prepare("SELECT max(slot) FROM meters").raw(),
      addSlot: db.prepare("INSERT INTO meters VALUES (?, ?)"),
      settled: db.prepare(SETTLED).raw(),
      settle: db.prepare("INSERT OR REPLACE INTO settled VALUES (?, ?, ?, ?, ?)"),
      usedAndSettled: db.prepare(USED_AND_SETTLED).raw(),
      standing: db.prepare(STANDING).raw(),
      addUsage: db.prepare(ADD_USAGE),
      addCalls: db.prepare(ADD_CALLS),
      takeUnits: db.prepare(TAKE_UNITS),
      takeCalls: db.prepare(TAKE_CALLS),
    };
  }

  /** The store's revision, as read by the transaction under way. */
  get revision(): number {
    return this.#revision;
  }

  /** Runs work in one write transaction. Its changes to the meters take effect after the commit. */
  transaction<T>(work: () => T): T {
    // Not a prepared statement: one that finds the lock taken stays open and blocks the next COMMIT.
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      this.#readHead();
      const result = work();
      this.#db.exec("COMMIT");
      for (const held of this.#held.values()) held.apply();
      return result;
    } catch (error) {
      // Also after a failed COMMIT: nobody knows whether it took effect.
      for (const held of this.#held.values()) held.meter.suspect();
      this.#rollBack();
      throw error;
    } finally {
      for (const held of this.#held.values()) held.meter.unlock();
      this.#held.clear();
    }
  }

  /**
   * The record in an account's slot, locked until the end of the transaction. An account that has no slot is
   * given one.
   */
  #hold(slot: number): HeldMeter {
    let held = this.#held.get(slot);
    if (held !== undefined) return held;
    const meter = this.#meters.at(slot);
    if (!meter.lock()) throw new MeterBusy();
    held = new HeldMeter(meter);
    this.#held.set(slot, held);
    return held;
  }

  /**
   * Opens an allowance for this period and day, after settling what it counted before. The total is always
   * added up again from the state file and the counters, whatever it was.
   */
  open(accountId: string, env: KeyEnvironment, stamp: Stamp): HeldMeter {
    const [slot, settledUnits, ...settled] = this.#usedRow(
      accountId,
      env,
      periodName(stamp.period),
    );
    const held = this.#hold(slot ?? this.#assign(accountId));
    const { meter } = held;
    const allowance = held.of(env);
    const isSame = allowance.stamp.period === stamp.period && allowance.stamp.day === stamp.day;
    if (isSame && allowance.isReopened) return held;
    const unsettled = unsettledOf(meter, env, settled);
    const used = settledUnits ?? 0;
    if (isSame && unsettled.isKnown) {
      if (unsettled.isBehind) this.settleAllowance(meter, accountId, env);
      const total = used + unsettled.total;
      if (allowance.total !== total) allowance.reopen(stamp, total);
      return held;
    }
    if (unsettled.total > 0) this.settleAllowance(meter, accountId, env);
    this.#sql.settle.run(meter.slot, env, stamp.period, stamp.day, blobOf(unsettled.counts));
    const isSamePeriod = unsettled.stamp.period === stamp.period;
    allowance.reopen(stamp, isSamePeriod ? used + unsettled.total : used);
    return held;
  }

  /**
   * The epoch of an allowance that is already open for this period and day with the right total; undefined if
   * it has to be opened. Reads one state of the file and writes nothing. A change by anybody else in the
   * meantime has changed the epoch, or keeps the record locked until it has.
   */
  openEpoch(meter: Meter, { accountId, env, stamp, revision }: Expected): number | undefined {
    const { period, day } = meter.stamp(env);
    if (period !== stamp.period || day !== stamp.day) return undefined;
    const epoch = meter.epoch(env);
    const values = [accountId, env, periodName(period), meter.slot];
    const [identity, found, used, ...settled] = this.#sql.standing.get(values) as StandingRow;
    if (identity !== this.#meters.identity || found !== revision) return undefined;
    if (settled[0] !== period || settled[1] !== day || !meter.lock()) return undefined;
    const state = meter.state(env);
    const unsettled = unsettledOf(meter, env, settled);
    meter.unlock();
    if (unsettled.isBehind || state.epoch !== epoch) return undefined;
    return state.total === (used ?? 0) + unsettled.total ? epoch : undefined;
  }

  /** Adds units to an account's usage as a row, and tells the open allowance they belong to. */
  add({ accountId, env, period, day, endpoint, calls, units }: UnitsBooked): void {
    this.#sql.addUsage.run(accountId, env, period, units);
    this.#sql.addCalls.run(day, accountId, env, endpoint, calls, units);
    this.#hold(this.#slotOf(accountId) ?? this.#assign(accountId))
      .of(env)
      .change(period, units);
  }

  /** Takes units back from the period and the day they were added to. */
  takeBack({ accountId, env, period, day, endpoint, calls, units }: UnitsBooked): void {
    this.#sql.takeUnits.run(units, accountId, env, period);
    this.#sql.takeCalls.run(calls, units, day, accountId, env, endpoint);
    const slot = this.#slotOf(accountId);
    if (slot !== undefined) this.#hold(slot).of(env).change(period, -units);
  }

  /** Settles all of an account's counters. Call it inside a transaction. */
  settleAccount(accountId: string): void {
    const slot = this.#slotOf(accountId);
    if (slot === undefined) return;
    for (const env of KEY_ENVIRONMENTS) {
      this.settleAllowance(this.#meters.at(slot), accountId, env);
    }
  }

  /** Locks an account's record, and disturbs it with the commit. */
  disturb(accountId: string): void {
    const slot = this.#slotOf(accountId);
    if (slot !== undefined) this.#hold(slot).disturb();
  }

  /** Units used in a period, settled or not. May be called outside a transaction. */
  usedIn(accountId: string, env: KeyEnvironment, period: string): number {
    const [slot, settledUnits, ...settled] = this.#usedRow(accountId, env, period);
    const used = settledUnits ?? 0;
    if (slot === null) return used;
    const held = this.#held.get(slot)?.of(env);
    const code = periodCode(period);
    if (held?.total !== undefined && held.stamp.period === code) return held.total;
    const { stamp, total } = unsettledOf(this.#meters.at(slot), env, settled);
    return stamp.period === code ? used + total : used;
  }

  /**
   * Settles one allowance and returns the counters that the state file has now. Call it inside a transaction.
   *
   * The two files may disagree about what the counters count for. Then another process has committed but not
   * yet updated the record, which it keeps locked until it has; or the files are of different times.
   */
  settleAllowance(meter: Meter, accountId: string, env: KeyEnvironment): Int32Array {
    if (meter.stamp(env).period === 0) return meter.counters(env); // never opened
    let unsettled = unsettledOf(meter, env, this.#settled(meter.slot, env));
    if (!unsettled.isKnown) {
      this.#hold(meter.slot);
      unsettled = unsettledOf(meter, env, this.#settled(meter.slot, env));
    }
    const { stamp, counts, calls, total, isKnown, isBehind } = unsettled;
    if (total > 0) {
      this.#sql.addUsage.run(accountId, env, periodName(stamp.period), total);
      const day = dayName(stamp);
      for (const [place, count] of calls.entries()) {
        const endpoint = METERED_ENDPOINTS[place];
        if (count > 0 && endpoint !== undefined)
          this.#sql.addCalls.run(day, accountId, env, endpoint, count, count);
      }
    }
    if (total > 0 || !isKnown || isBehind) {
      this.#sql.settle.run(meter.slot, env, stamp.period, stamp.day, blobOf(counts));
    }
    return counts;
  }

  #settled(slot: number, env: KeyEnvironment): SettledRow | NoRow {
    return (this.#sql.settled.get(slot, env) as SettledRow | undefined) ?? NO_ROW;
  }

  #usedRow(accountId: string, env: KeyEnvironment, period: string): UsedRow {
    return this.#sql.usedAndSettled.get(accountId, env, period) as UsedRow;
  }

  #slotOf(accountId: string): number | undefined {
    const row = this.#sql.slot.get(accountId) as [number] | undefined;
    return row?.[0];
  }

  #assign(accountId: string): number {
    const [last] = this.#sql.lastSlot.get() as [number | null];
    const slot = nextSlot(last ?? 0);
    this.#meters.reserve(slot);
    this.#sql.addSlot.run(slot, accountId);
    return slot;
  }

  /**
   * Also notices if the meter file was replaced under a running server: the state file then names another one.
   * Where the state file itself was replaced, this one is written to no more.
   */
  #readHead(): void {
    const [identity, revision] = this.#sql.head.get() as [string, number];
    this.#revision = revision;
    if (identity === this.#meters.identity && !this.#meters.isCutOff) return;
    this.#meters.cutOff();
    throw new AccountsUnavailable(METERS_REPLACED);
  }

  #rollBack(): void {
    try {
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
    } catch {
      // SQLite rolls back by itself where it cannot go on. Where it has not, the next BEGIN fails and says
      // so.
    }
  }
}
