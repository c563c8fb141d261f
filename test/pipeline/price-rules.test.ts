import { describe, expect, test } from "vitest";
import { applyPriceRules } from "../../pipeline/price-rules.ts";
import { BY_CLOCK, clean, daysOf, reasonsOf } from "../support/clean-coins.ts";
import { rawRow, rawRows, sourceCoin, span } from "../support/prices-file-rows.ts";

describe("a sound history", () => {
  test("becomes bars as it is", () => {
    const coin = clean(rawRows(...span(990, 999)));
    expect(daysOf(coin)).toEqual(span(990, 999));
    const { open, high, low, close, volume } = coin.bars;
    expect([open[3], high[3], low[3], close[3], volume[3]]).toEqual([102.5, 104, 102, 103, 10]);
    expect(coin.quality).toEqual({
      rowsRead: 10,
      accepted: 10,
      filled: 0,
      rejected: {},
      rejectsUnlisted: 0,
      duplicatesDropped: 0,
      incompleteDropped: 0,
      afterAsOf: 0,
      restartedAt: null,
      daysBeforeGapLeftOut: 0,
      stale: false,
      carried: 0,
      withdrawn: 0,
      lateRows: 0,
      revisedDays: 0,
      revisions: [],
      unitChanges: [],
      fault: null,
    });
  });

  test("may be one day, or none", () => {
    expect(daysOf(clean(rawRows(999)))).toEqual([999]);
    const none = clean([]);
    expect(daysOf(none)).toEqual([]);
    expect(none.quality.stale).toBe(false); // nothing there could be old
  });
});

describe("the horizon", () => {
  test("drops the current day and refuses later ones", () => {
    const coin = clean(rawRows(998, 999, 1000, 1001));
    expect(daysOf(coin)).toEqual([998, 999]);
    expect(coin.quality.incompleteDropped).toBe(1);
    expect(reasonsOf(coin)).toEqual([[1001, "future_day"]]);
  });

  test("leaves everything after a chosen as_of unread, whatever is wrong with it", () => {
    const rows = [...rawRows(998, 999), rawRow(1000, -5), rawRow(5000, 1)];
    const coin = clean(rows, { asOf: 999, today: null });
    expect(coin.rejects).toEqual([]);
    expect(coin.quality.afterAsOf).toBe(2);
    expect(coin.quality.incompleteDropped).toBe(0);
  });

  test("by the clock still records a refused row that is newer than as_of", () => {
    const coin = clean([...rawRows(996, 997), rawRow(999, NaN)], { asOf: 997, today: 1000 });
    expect(reasonsOf(coin)).toEqual([[999, "price_not_finite"]]);
    expect(daysOf(coin)).toEqual([996, 997]);
  });

  test("by the clock leaves a valid row that is newer than as_of for the run of its day", () => {
    const coin = clean(rawRows(996, 997, 998), { asOf: 997, today: 1000 });
    expect(daysOf(coin)).toEqual([996, 997]);
    expect(coin.quality).toMatchObject({ accepted: 2, afterAsOf: 1, incompleteDropped: 0 });
  });

  test("holds for rows that could not be read: those after a chosen as_of are not refused", () => {
    const faults = [997, 998, 999, null].map((day, index) => ({
      line: index + 2,
      day,
      reason: "invalid_number" as const,
      raw: "1972-09-24,x",
    }));
    const refused = (horizon: typeof BY_CLOCK) => {
      const coin = sourceCoin(rawRows(995, 996), { faults });
      const { rejects, quality } = applyPriceRules({ coin, horizon });
      return [rejects.map(({ day }) => day), quality.afterAsOf];
    };
    expect(refused({ asOf: 997, today: null })).toEqual([[997, null], 2]);
    expect(refused({ asOf: 997, today: 1000 })).toEqual([[997, 998, 999, null], 0]);
  });

  test("by the clock refuses a row out of order that would be newer than as_of", () => {
    const coin = clean(rawRows(990, 998, 991, 992, 993), { asOf: 993, today: 1000 });
    expect(reasonsOf(coin)).toEqual([[998, "out_of_order"]]);
    expect(coin.quality).toMatchObject({ accepted: 4, afterAsOf: 0 });
    const above = clean(rawRows(...span(990, 998)), { asOf: 993, today: 1000 });
    expect(daysOf(above)).toEqual(span(990, 993));
    expect(above.quality).toMatchObject({ accepted: 4, afterAsOf: 5 });
  });

  test("calls a coin stale from the third day before as_of", () => {
    expect(clean(rawRows(996, 997)).quality.stale).toBe(false);
    expect(clean(rawRows(995, 996)).quality.stale).toBe(true);
  });
});

describe("gaps", () => {
  test("of up to three days take the last close", () => {
    const coin = clean(rawRows(990, 992, 996));
    expect(daysOf(coin)).toEqual(span(990, 996));
    expect(Array.from(coin.filled)).toEqual([0, 1, 0, 1, 1, 1, 0]);
    expect(Array.from(coin.bars.close)).toEqual([100, 100, 101, 101, 101, 101, 102]);
    for (const column of ["open", "high", "low"] as const)
      expect(Array.from(coin.bars[column].slice(3, 6))).toEqual([101, 101, 101]);
    expect(Array.from(coin.bars.volume.slice(3, 6))).toEqual([0, 0, 0]);
    expect(coin.quality.filled).toBe(4);
  });

  test("of four days restart the history, and the days before are counted", () => {
    const coin = clean(rawRows(980, 982, 987, 989));
    expect(daysOf(coin)).toEqual([987, 988, 989]);
    expect(coin.quality).toMatchObject({
      accepted: 4,
      filled: 1,
      restartedAt: 987,
      daysBeforeGapLeftOut: 2,
    });
  });

  test("count from the last long one, which may leave a single day", () => {
    const coin = clean(rawRows(970, 975, 980, 981, 996));
    expect(daysOf(coin)).toEqual([996]);
    expect(coin.quality).toMatchObject({ restartedAt: 996, daysBeforeGapLeftOut: 4 });
  });

  test("arise where rows are refused", () => {
    const rows = rawRows(...span(990, 999)).map((row) =>
      row.day >= 993 && row.day <= 995 ? { ...row, close: 0 } : row,
    );
    const coin = clean(rows);
    expect(coin.quality).toMatchObject({ filled: 3, rejected: { price_not_positive: 3 } });
  });
});

describe("refusals", () => {
  test("are in the order of their lines, with the row as it was read", () => {
    const rows = [
      rawRow(990, 100, { line: 2 }),
      rawRow(992, 100, { line: 3, high: 90, raw: "1972-09-19,99.50,90,99,1e2,10" }),
      rawRow(991, 100, { line: 4 }),
      rawRow(991, 101, { line: 5 }),
    ];
    const coin = clean(rows);
    expect(coin.rejects).toEqual([
      { day: 992, line: 3, reason: "high_below_low", raw: "1972-09-19,99.50,90,99,1e2,10" },
      { day: 991, line: 4, reason: "conflicting_duplicate", raw: "1972-09-18,99.5,101,99,100,10" },
      {
        day: 991,
        line: 5,
        reason: "conflicting_duplicate",
        raw: "1972-09-18,100.5,102,100,101,10",
      },
    ]);
    expect(coin.quality.rejected).toEqual({ high_below_low: 1, conflicting_duplicate: 2 });
  });

  test("are all counted and listed up to a limit", () => {
    const rows = Array.from({ length: 10_005 }, () => rawRow(990, -1));
    const { rejects, quality } = clean(rows);
    expect(rejects).toHaveLength(10_000);
    expect(quality.rejectsUnlisted).toBe(5);
    expect(quality.rejected).toEqual({ price_not_positive: 10_005 });
  });

  test("of unreadable rows are taken over from the source and cut to a bounded length", () => {
    const fault = { line: 9, day: null, reason: "row_too_long", raw: "x".repeat(900) } as const;
    const coin = applyPriceRules({
      coin: sourceCoin(rawRows(999), { faults: [fault] }),
      horizon: BY_CLOCK,
    });
    expect(coin.rejects).toHaveLength(1);
    expect(coin.rejects[0]).toMatchObject({ day: null, line: 9, reason: "row_too_long" });
    expect(coin.rejects[0]!.raw).toHaveLength(200);
    expect(coin.quality.rowsRead).toBe(2);
  });
});
