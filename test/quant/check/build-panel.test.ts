import { describe, expect, test } from "vitest";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import type { Observations } from "../../../quant/check/panel.ts";
import { dailyRowsOf, DAY, FIRST_DAY, normalColumns } from "./panels.ts";

const [RETURNS] = normalColumns(1, 60, [1]) as [Float64Array];
const VALUES = RETURNS.map(
  (_, row) => 100 * RETURNS.subarray(0, row + 1).reduce((g, r) => g * (1 + r), 1),
);

/** The rows without some of them. */
function without(rows: Observations, dropped: readonly number[]): Observations {
  const kept = (_: unknown, row: number) => !dropped.includes(row);
  return {
    ...rows,
    instants: rows.instants.filter(kept),
    lines: rows.lines.filter(kept),
    columns: rows.columns.map((column) => column.filter(kept)),
  };
}

const codes = (rows: Observations) => buildPanel(rows).warnings.map(({ code }) => code);

describe("the frequency", () => {
  test("is 365 days a year with weekends, 252 without, and the given one if there is one", () => {
    expect(buildPanel(dailyRowsOf([RETURNS])).periodsPerYear).toBe(365);
    const weekdays = without(
      dailyRowsOf([RETURNS]),
      Array.from(RETURNS.keys()).filter((row) => row % 7 > 4),
    );
    const panel = buildPanel(weekdays);
    expect([panel.periodsPerYear, panel.filledBars, panel.warnings]).toEqual([252, 0, []]);
    expect(buildPanel(weekdays, { periodsPerYear: 260 }).periodsPerYear).toBe(260);
  });

  test("hours are compounded to UTC days", () => {
    const columns = [
      Float64Array.from({ length: 24 * 12 }, (_, row) => (row % 24 === 0 ? 0.1 : -0.01)),
    ];
    const instants = columns[0]!.map((_, row) => FIRST_DAY * DAY + 3600 * row);
    const lines = new Int32Array(instants.length);
    const panel = buildPanel({ ...dailyRowsOf(columns), instants, lines });
    expect(panel.barSeconds).toBe(3600);
    expect(panel.instants).toHaveLength(12);
    // Every day is the same, so the panel's one variant never moves.
    expect(panel.droppedVariants).toBe(1);
    const value = 1.1 * 0.99 ** 23 - 1;
    columns[0]![0] = 0.2;
    const moved = buildPanel({ ...dailyRowsOf(columns), instants, lines }).columns[0]!;
    expect(moved[1]).toBeCloseTo(value, 14);
    expect(moved[0]).toBeCloseTo(1.2 * 0.99 ** 23 - 1, 14);
  });

  test("the first of several values of a day is what an equity curve begins with", () => {
    const values = Float64Array.from({ length: 48 }, (_, row) => 100 + row * (row + 1));
    const instants = values.map((_, row) => FIRST_DAY * DAY + 6 * 3600 * row);
    const rows = dailyRowsOf([values], { kind: "equity", instants });
    const panel = buildPanel(rows);
    expect([panel.instants.length, panel.instants[0]]).toEqual([12, FIRST_DAY * DAY]);
    expect(panel.columns[0]![0]).toBeCloseTo(values[3]! / values[0]! - 1, 14);
    expect(panel.columns[0]![1]).toBeCloseTo(values[7]! / values[3]! - 1, 14);
  });

  test.each([
    [7, 52],
    [30, 12],
    [3, 365 / 3],
  ])("a bar every %d days makes %d a year", (days, periods) => {
    const instants = RETURNS.map((_, row) => (FIRST_DAY + days * row) * DAY);
    expect(buildPanel(dailyRowsOf([RETURNS], { instants })).periodsPerYear).toBeCloseTo(
      periods,
      12,
    );
  });
});

describe("rows", () => {
  test("out of order are sorted, with a warning", () => {
    const { instants, columns } = dailyRowsOf([RETURNS]);
    const turned = dailyRowsOf([columns[0]!.toReversed()], { instants: instants.toReversed() });
    expect(buildPanel(turned).columns[0]).toEqual(RETURNS);
    expect(codes(turned)).toEqual(["sorted"]);
  });

  test("that agree count once; others are refused with both lines", () => {
    const rows = dailyRowsOf([RETURNS.slice()]);
    rows.instants[10] = rows.instants[9]!;
    expect(() => buildPanel(rows)).toThrow(/2023-01-11 occurs twice.*line 11.*line 12/);
    rows.columns[0]![10] = NaN;
    expect(() => buildPanel(rows)).toThrow("empty on line 12");
    rows.columns[0]![10] = rows.columns[0]![9]!;
    expect(codes(rows)).toEqual(["repeated_rows", "missing_bars"]);
    rows.instants[10]! *= 1000;
    expect(() => buildPanel(rows)).toThrow("in no year from 1900 to 2200");
  });

  test("missing from returns are 0; missing from an equity curve make one longer step", () => {
    const returns = buildPanel(without(dailyRowsOf([RETURNS]), [20, 21]));
    expect([returns.filledBars, returns.instants.length]).toEqual([2, 60]);
    expect(Array.from(returns.columns[0]!.subarray(20, 22))).toEqual([0, 0]);
    const equity = buildPanel(without(dailyRowsOf([VALUES], { kind: "equity" }), [20, 21]));
    expect([equity.filledBars, equity.instants.length]).toEqual([0, 57]);
    expect(equity.columns[0]![19]).toBeCloseTo(VALUES[22]! / VALUES[19]! - 1, 14);
    expect(equity.warnings[0]!.message).toContain("2 bars are missing");
  });

  test("too few of them are refused, and so are more than a fifth missing", () => {
    expect(() => buildPanel(dailyRowsOf([RETURNS.subarray(0, 9)]))).toThrow("at least 10 days");
    const gap = Array.from({ length: 15 }, (_, row) => row + 20);
    expect(() => buildPanel(without(dailyRowsOf([RETURNS]), gap))).toThrow("more than 20 %");
  });

  test("of events keep the last value of a day and carry it on", () => {
    const instants = Float64Array.of(
      0,
      0.2,
      3,
      3.5,
      ...Array.from({ length: 10 }, (_, n) => 5 + n),
    );
    const values = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    const panel = buildPanel({
      ...dailyRowsOf([values], { kind: "equity", events: true }),
      instants: instants.map((day) => (FIRST_DAY + day) * DAY),
    });
    expect(Array.from(panel.columns[0]!.subarray(0, 5))).toEqual([0, 0, 1, 0, 0.25]);
    expect(panel.filledBars).toBe(3);
  });
});

describe("cells", () => {
  test("that are empty keep an equity and are a return of 0", () => {
    const rows = dailyRowsOf([RETURNS, RETURNS.map((value) => 2 * value)]);
    rows.columns[1]![5] = NaN;
    expect(buildPanel(rows).filledBars).toBe(1);
    const equity = dailyRowsOf([VALUES, VALUES.map((value) => value * value)], { kind: "equity" });
    equity.columns[1]![5] = NaN;
    const panel = buildPanel(equity);
    expect(panel.filledBars).toBe(1);
    const square = panel.columns.find((column) => column[4] === 0)!;
    expect(square[5]).toBeCloseTo((VALUES[6]! / VALUES[4]!) ** 2 - 1, 14);
  });

  test("that are empty are refused where a variant lacks a fifth after it began", () => {
    const began = RETURNS.map((value, row) => (row < 40 ? NaN : 2 * value));
    expect(buildPanel(dailyRowsOf([RETURNS, began])).filledBars).toBe(40);
    const holed = RETURNS.map((value, row) => (row % 4 === 1 ? NaN : 2 * value));
    const message = /^1\d of 60 cells of "v1" are empty after its first value, more than 20 %$/;
    expect(() => buildPanel(dailyRowsOf([RETURNS, holed]))).toThrow(message);
    const nothing = RETURNS.map(() => NaN);
    expect(buildPanel(dailyRowsOf([RETURNS, nothing])).filledBars).toBe(0);
  });

  test("of an equity at or below 0 are refused with date and line", () => {
    const values = VALUES.slice();
    values[7] = 0;
    expect(() => buildPanel(dailyRowsOf([values], { kind: "equity" }))).toThrow(
      /equity of "v0" is 0 on 2023-01-09 \(line 9\)/,
    );
  });

  test("in percent are refused; a single large one is a warning", () => {
    const percent = RETURNS.map((value) => 100 * value);
    expect(() => buildPanel(dailyRowsOf([percent]))).toThrow("divide them by 100");
    const large = RETURNS.slice();
    large[3] = 1.5;
    expect(codes(dailyRowsOf([large]))).toEqual(["large_return"]);
    large[3] = -1.5;
    expect(() => buildPanel(dailyRowsOf([large]))).toThrow(
      /below -1, got -1.5 of "v0" on 2023-01-05/,
    );
    large[3] = 1e100;
    expect(() => buildPanel(dailyRowsOf([large]))).toThrow(/no account grows.*2023-01-05/);
  });
});

describe("variants", () => {
  test("that never move are dropped, and those that repeat another count once", () => {
    const twin = RETURNS.map((value) => value + 1e-13);
    const other = RETURNS.toReversed();
    const flat = new Float64Array(60);
    const panel = buildPanel(dailyRowsOf([RETURNS, flat, other, twin]));
    expect([panel.names.length, panel.droppedVariants, panel.duplicateVariants]).toEqual([2, 1, 1]);
    expect(panel.keptNameOf.get("v0")).toBe(panel.keptNameOf.get("v3"));
    expect(panel.keptNameOf.has("v1")).toBe(false);
  });

  test("stay in the order of the file, the first of several twins", () => {
    const [a, b, c] = normalColumns(4, 60, [0, 1, 2]) as [Float64Array, Float64Array, Float64Array];
    const near = (column: Float64Array, by: number) => column.map((value) => value + by);
    const panel = buildPanel(
      dailyRowsOf([near(c, 4e-13), b, c, near(a, -3e-13), a, near(c, -4e-13)]),
    );
    expect(panel.names).toEqual(["v0", "v1", "v3"]);
    expect(["v2", "v4", "v5"].map((name) => panel.keptNameOf.get(name))).toEqual([
      "v0",
      "v3",
      "v0",
    ]);
  });
});
