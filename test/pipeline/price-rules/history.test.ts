import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { after, clean, daysOf, reasonsOf } from "../../support/clean-coins.ts";
import { rawRow, rawRows, sourceCoin, span } from "../../support/prices-file-rows.ts";

describe("what was published before", () => {
  const rows = rawRows(...span(980, 999));
  const previous = clean(rows);

  test("changes nothing when the source gives the same again", () => {
    const again = after(previous, sourceCoin(rows));
    expect(again).toEqual(previous);
  });

  test("is continued by new days only", () => {
    const fetched = sourceCoin([rawRow(998, 118), rawRow(999, 119), rawRow(1000, 120)], {
      whole: false,
      fetchedFrom: 998,
    });
    const next = after(previous, fetched, { asOf: 1000, today: 1001 });
    expect(daysOf(next)).toEqual(span(980, 1000));
    expect(next.quality).toMatchObject({ accepted: 3, carried: 18, revisedDays: 0, withdrawn: 0 });
    expect(next.quality).toMatchObject({ restartedAt: null, daysBeforeGapLeftOut: 0 });
  });

  test("gives way to a changed value, which is a revision with both values", () => {
    const revised = rows.map((row) =>
      row.day === 985 ? { ...row, close: 105.25, volume: 9 } : row,
    );
    const next = after(previous, sourceCoin(revised));
    expect(next.bars.close[5]).toBe(105.25);
    expect(next.quality.revisedDays).toBe(1);
    expect(next.quality.revisions).toEqual([
      { day: 985, column: "close", before: 105, after: 105.25 },
      { day: 985, column: "volume", before: 10, after: 9 },
    ]);
    expect(after(next, sourceCoin(revised)).quality.revisedDays).toBe(0);
  });

  test.each([
    ["open", 99.75],
    ["high", 101.5],
    ["low", 98.5],
    ["close", 100.25],
    ["volume", 0],
  ] as const)("gives way to another %s alone", (column, value) => {
    const revised = [...rawRows(...span(980, 998)), rawRow(999, 100, { [column]: value })];
    const first = clean([...rawRows(...span(980, 998)), rawRow(999, 100)]);
    const next = after(first, sourceCoin(revised));
    expect(next.quality.revisions).toMatchObject([{ day: 999, column, after: value }]);
    expect(next.bars[column].at(-1)).toBe(value);
  });

  test("lists a bounded number of revised values and counts all days", () => {
    const long = clean(rawRows(...span(800, 999)));
    const doubled = rawRows(...span(800, 999)).map((row) => ({ ...row, volume: 20 }));
    const { quality } = after(long, sourceCoin(doubled));
    expect(quality.revisedDays).toBe(200);
    expect(quality.revisions).toHaveLength(100);
    const thrice = doubled.map((row) => ({ ...row, close: row.close + 0.25, low: row.low + 0.25 }));
    expect(after(long, sourceCoin(thrice)).quality.revisions).toHaveLength(100); // 33 days and one value
  });

  test("is a late row, not a revision, when the day was filled and now has a row", () => {
    const gapped = clean(rows.filter(({ day }) => day !== 990));
    expect(gapped.quality.filled).toBe(1);
    const next = after(gapped, sourceCoin(rows));
    expect(next.quality).toMatchObject({ lateRows: 1, revisedDays: 0, filled: 0 });
    expect(next.bars.close[10]).toBe(110);
  });

  test("stays when its row is refused this time: the older value was accepted", () => {
    const damaged = rows.map((row) => (row.day === 990 ? { ...row, low: -1 } : row));
    const next = after(previous, sourceCoin(damaged));
    expect(next.bars).toEqual(previous.bars);
    expect(reasonsOf(next)).toEqual([[990, "price_not_positive"]]);
    expect(next.quality).toMatchObject({ carried: 1, withdrawn: 0, filled: 0 });
  });

  test("is withdrawn when a source that lists everything no longer lists the day", () => {
    const shorter = rows.filter(({ day }) => day !== 990);
    const next = after(previous, sourceCoin(shorter));
    expect(next.quality).toMatchObject({ withdrawn: 1, carried: 0, filled: 1 });
    expect(next.bars).toEqual(clean(shorter).bars);
  });

  test("is withdrawn also where rows of other days could not be read", () => {
    const fault = { line: 2, day: 985, reason: "invalid_number", raw: "1972-09-12,x" } as const;
    const shorter = rows.filter(({ day }) => day !== 985 && day !== 990);
    const next = after(previous, sourceCoin(shorter, { faults: [fault] }));
    expect(next.quality, "985 is carried").toMatchObject({ withdrawn: 1, carried: 1, filled: 1 });
  });

  test("stays when a row's day could not be read: it may have been this one", () => {
    const fault = { line: 12, day: null, reason: "invalid_date", raw: "1972-O9-17,1,1" } as const;
    const shorter = rows.filter(({ day }) => day !== 990);
    const next = after(previous, sourceCoin(shorter, { faults: [fault] }));
    expect(next.quality).toMatchObject({ withdrawn: 0, carried: 1, filled: 0 });
  });

  test("stays as it is, and goes stale, when nothing can be read of the coin", () => {
    const fault = { reason: "header_invalid", message: "btc.csv: expected the header" } as const;
    const coin = sourceCoin([], { fault });
    const next = after(previous, coin, { asOf: 1002, today: 1003 });
    expect(next.bars).toEqual(previous.bars);
    expect(next.rejects).toEqual([
      { day: null, line: 0, reason: "header_invalid", raw: "btc.csv: expected the header" },
    ]);
    expect(next.quality).toMatchObject({ stale: true, carried: 20, fault: "header_invalid" });
  });

  test("keeps its refusals when nothing can be read of the coin, whatever was requested", () => {
    const rejected = clean([...rawRows(990, 991), rawRow(992, -1), rawRow(993, 100)]);
    const fault = { reason: "fetch_failed", message: "BTC/USDT: answered 500" } as const;
    for (const range of [
      { whole: false, fetchedFrom: 990 },
      { whole: true, fetchedFrom: null },
    ]) {
      expect(reasonsOf(after(rejected, sourceCoin([], { fault, ...range })))).toEqual([
        [null, "fetch_failed"],
        [992, "price_not_positive"],
      ]);
    }
  });

  test("has one record of a fault that lasts, and no refusal of a day after as_of", () => {
    const fault = { reason: "fetch_failed", message: "BTC/USDT: answered 500" } as const;
    const rejected = clean([...rawRows(990, 991), rawRow(992, -1), rawRow(993, 100)]);
    const failed = sourceCoin([], { fault });
    const twice = after(after(rejected, failed), failed);
    expect(reasonsOf(twice)).toEqual([
      [null, "fetch_failed"],
      [992, "price_not_positive"],
    ]);
    expect(reasonsOf(after(twice, failed, { asOf: 992, today: null }))).toEqual(reasonsOf(twice));
    expect(reasonsOf(after(twice, failed, { asOf: 991, today: null }))).toEqual([
      [null, "fetch_failed"],
    ]);
  });

  test("is kept without a refusal when the source just does not have the coin", () => {
    const coin = sourceCoin([], { fault: { reason: "file_missing", message: "no such file" } });
    const next = after(previous, coin);
    expect(next.bars).toEqual(previous.bars);
    expect(next.rejects).toEqual([]);
    expect(next.quality.fault).toBe("file_missing");
  });

  test("is cut at an earlier as_of", () => {
    const empty = sourceCoin([], { whole: false, fetchedFrom: 993 });
    const next = after(previous, empty, { asOf: 985, today: null });
    expect(daysOf(next)).toEqual(span(980, 985));
  });

  test("lists its refusals by line, those of earlier runs among the new ones", () => {
    const refused = (day: number, line: number) => rawRow(day, -1, { line });
    const first = clean([rawRow(979, 100), refused(980, 7), refused(981, 9), rawRow(990, 100)]);
    const fetched = sourceCoin([refused(991, 3), refused(992, 7), rawRow(993, 100, { line: 8 })], {
      whole: false,
      fetchedFrom: 983,
    });
    const next = after(first, fetched);
    expect(next.rejects.map(({ line, day }) => [line, day])).toEqual([
      [3, 991],
      [7, 980],
      [7, 992],
      [9, 981],
    ]);
    const fault = { reason: "header_invalid", message: "no header" } as const;
    expect(after(next, sourceCoin([], { fault })).rejects.map(({ line }) => line)).toEqual([
      0, 3, 7, 7, 9,
    ]);
  });
});

describe("whatever rows come", () => {
  const price = fc.oneof(
    fc.integer({ min: -2, max: 120 }),
    fc.constantFrom(NaN, Infinity, 0, 1e-9),
  );
  const broken = fc.record({ open: price, high: price, low: price, close: price, volume: price });
  const values = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(rawRow(0, 50), rawRow(0, 60)) },
    { weight: 1, arbitrary: broken },
  );
  /** From a row's day to the next one's: mostly the day after; else repeated, after a gap, or misplaced. */
  const step = fc.oneof(
    { weight: 14, arbitrary: fc.constant(1) },
    { weight: 2, arbitrary: fc.integer({ min: 2, max: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(5, 9) },
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -9, max: -1 }) },
  );
  const anyRows = fc
    .tuple(fc.integer({ min: 940, max: 999 }), fc.array(fc.tuple(step, values), { size: "+1" }))
    .map(([firstDay, steps]) => {
      let day = firstDay;
      return steps.map(([by, row], index) => ({ ...row, day: (day += by), line: index + 2 }));
    });

  test("they are of every kind that the rules tell apart, and often a whole history", () => {
    const seen = new Set<string>();
    let histories = 0;
    for (const rows of fc.sample(anyRows, 300)) {
      const { bars, quality } = clean(rows);
      const { rejected, filled, duplicatesDropped, incompleteDropped, restartedAt } = quality;
      if (bars.day.length >= 5) histories++;
      const facts = { filled, duplicatesDropped, incompleteDropped, restarted: restartedAt ?? 0 };
      for (const [fact, count] of Object.entries(facts)) if (count > 0) seen.add(fact);
      for (const reason of Object.keys(rejected)) seen.add(reason);
    }
    expect([...seen].sort().join(" ")).toBe(
      "close_outside_range conflicting_duplicate duplicatesDropped filled future_day high_below_low " +
        "incompleteDropped open_outside_range out_of_order price_not_finite price_not_positive restarted " +
        "volume_negative volume_not_finite",
    );
    expect(histories).toBeGreaterThan(150);
  });

  test("every row is accounted for, and days have no gap", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const { bars, quality, rejects } = clean(rows);
        const { accepted, duplicatesDropped, incompleteDropped, afterAsOf } = quality;
        const left = duplicatesDropped + incompleteDropped + afterAsOf + rejects.length;
        expect(accepted + left).toBe(rows.length);
        for (const [index, day] of bars.day.entries()) expect(day).toBe(bars.day[0]! + index);
        const { restartedAt, daysBeforeGapLeftOut, filled } = quality;
        expect(bars.day.length - filled + daysBeforeGapLeftOut).toBe(accepted);
        expect(restartedAt === null).toBe(daysBeforeGapLeftOut === 0);
        for (const column of [bars.open, bars.high, bars.low, bars.close]) {
          expect(column.every((value) => value > 0 && value < Infinity)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("running twice on one input gives the same history and no revision", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const first = clean(rows);
        const again = after(first, sourceCoin(rows));
        expect(again.bars).toEqual(first.bars);
        expect(again.filled).toEqual(first.filled);
        expect(again.quality).toEqual(first.quality);
      }),
      { numRuns: 300 },
    );
  });

  test("fetching in two parts gives what fetching at once gives", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 960, max: 999 })), fc.nat(40), (set, cut) => {
        const all = set.sort((a, b) => a - b).map((day) => rawRow(day, day));
        const early = all.filter(({ day }) => day < 960 + cut);
        const late = all.filter(({ day }) => day >= 960 + cut - 3);
        const first = clean(early, { asOf: 960 + cut - 1, today: null });
        const second = after(first, sourceCoin(late, { whole: false, fetchedFrom: 960 + cut - 3 }));
        const atOnce = clean(all);
        expect(second.bars).toEqual(atOnce.bars);
        expect(second.filled).toEqual(atOnce.filled);
        expect(second.quality.restartedAt).toBe(atOnce.quality.restartedAt);
      }),
      { numRuns: 300 },
    );
  });
});
