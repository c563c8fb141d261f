import type { KeyEnvironment } from "../accounts.ts";
import { KEY_ENVIRONMENTS } from "../keys.ts";
import type { MeterBooks } from "./meter-books.ts";
import type { MeterFile } from "./meter-file.ts";
import { METERED_ENDPOINTS } from "./meter-layout.ts";
import { dayName, periodName } from "./meter-stamp.ts";
import type { Meter } from "./meter.ts";
import type { Connection } from "./state-file.ts";
import { blobOf, unsettledOf, type NoRow, type SettledRow } from "./unsettled.ts";

/**
 * Settles many accounts with four statements, because each call into SQLite costs more than a row. Rows are
 * written in the order of their tables, so that each page is touched once a group.
 */
const ROWS = `
SELECT meters.slot, account_id, live.period, live.day, live.counts, test.period, test.day, test.counts
FROM json_each(?) AS wanted CROSS JOIN meters ON meters.slot = wanted.value
LEFT JOIN settled AS live ON live.slot = meters.slot AND live.env = 'live'
LEFT JOIN settled AS test ON test.slot = meters.slot AND test.env = 'test'`;
const ADD_USAGE = `
INSERT INTO usage SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET used = used + excluded.used`;
const ADD_CALLS = `
INSERT INTO calls SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 4
FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, units = units + excluded.units`;
const SETTLE = `
INSERT OR REPLACE INTO settled SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, unhex(value ->> 4)
FROM json_each(?)`;

type Row = readonly [
  slot: number,
  accountId: string,
  ...live: SettledRow | NoRow,
  ...test: SettledRow | NoRow,
];

/** What to tell a record once the state file has its counts: see `Meter.settled`. */
interface SettledSlot {
  readonly slot: number;
  readonly live: Int32Array;
  readonly test: Int32Array;
}

/** Rows to write, in the form the statements take. */
interface Sums {
  readonly usage: (readonly [account: string, env: string, period: string, units: number])[];
  readonly calls: (readonly [
    day: string,
    account: string,
    env: string,
    path: string,
    count: number,
  ])[];
  readonly settled: (readonly [
    slot: number,
    env: string,
    period: number,
    day: number,
    hex: string,
  ])[];
}

export class GroupSettlement {
  readonly #meters: MeterFile;
  readonly #books: MeterBooks;
  readonly #sql;

  constructor(db: Connection, meters: MeterFile, books: MeterBooks) {
    this.#meters = meters;
    this.#books = books;
    this.#sql = {
      rows: db.prepare(ROWS).raw(),
      addUsage: db.prepare(ADD_USAGE),
      addCalls: db.prepare(ADD_CALLS),
      settle: db.prepare(SETTLE),
    };
  }

  /**
   * Writes what these records have counted and the state file does not have yet: all of it, or nothing if it
   * throws.
   */
  settle(slots: readonly number[]): void {
    const settled = this.#books.transaction(() => this.#write(slots));
    for (const { slot, live, test } of settled) this.#meters.at(slot).settled(live, test);
  }

  #write(slots: readonly number[]): readonly SettledSlot[] {
    const rows = this.#sql.rows.all(JSON.stringify(slots)) as Row[];
    const sums: Sums = { usage: [], calls: [], settled: [] };
    const done = rows.map((row) => this.#add(row, sums));
    sums.usage.sort(([one], [other]) => (one < other ? -1 : 1));
    sums.calls.sort(([, one], [, other]) => (one < other ? -1 : 1));
    if (sums.usage.length > 0) this.#sql.addUsage.run(JSON.stringify(sums.usage));
    if (sums.calls.length > 0) this.#sql.addCalls.run(JSON.stringify(sums.calls));
    if (sums.settled.length > 0) this.#sql.settle.run(JSON.stringify(sums.settled));
    const known = new Set(rows.map(([slot]) => slot));
    const strangers = slots.filter((slot) => !known.has(slot)).map((slot) => this.#asItIs(slot));
    return [...done, ...strangers];
  }

  #add([slot, accountId, ...settled]: Row, sums: Sums): SettledSlot {
    const meter = this.#meters.at(slot);
    const [live, test] = KEY_ENVIRONMENTS.map((env, index) => {
      const row = settled.slice(index * 3, index * 3 + 3) as unknown as SettledRow | NoRow;
      return this.#addAllowance(meter, { accountId, env, row }, sums);
    }) as [Int32Array, Int32Array];
    return { slot, live, test };
  }

  #addAllowance(
    meter: Meter,
    { accountId, env, row }: { accountId: string; env: KeyEnvironment; row: SettledRow | NoRow },
    sums: Sums,
  ): Int32Array {
    if (meter.stamp(env).period === 0) return meter.counters(env); // never opened
    const unsettled = unsettledOf(meter, env, row);
    // The two files disagree about the period or day: adding sums would be wrong.
    if (!unsettled.isKnown) return this.#books.settleAllowance(meter, accountId, env);
    const { stamp, counts, calls, total } = unsettled;
    if (total === 0 && !unsettled.isBehind) return counts;
    if (total > 0) sums.usage.push([accountId, env, periodName(stamp.period), total]);
    for (const [place, count] of calls.entries()) {
      const endpoint = METERED_ENDPOINTS[place];
      if (count > 0 && endpoint !== undefined) {
        sums.calls.push([dayName(stamp), accountId, env, endpoint, count]);
      }
    }
    sums.settled.push([meter.slot, env, stamp.period, stamp.day, blobOf(counts).toString("hex")]);
    return counts;
  }

  /**
   * A record that the state file does not know belongs to nobody: leave it as it is and mark it as settled.
   */
  #asItIs(slot: number): SettledSlot {
    const meter = this.#meters.at(slot);
    return { slot, live: meter.counters("live"), test: meter.counters("test") };
  }
}
