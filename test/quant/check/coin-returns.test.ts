import { describe, expect, test } from "vitest";
import { emptyBars } from "../../../quant/bars.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { closesMissing, coinReturns } from "../../../quant/check/coin-returns.ts";
import { dailyRowsOf, DAY, FIRST_DAY, normalColumns } from "./panels.ts";

const [COIN] = normalColumns(2, 100, [0]) as [Float64Array];
const BARS = emptyBars(101);
BARS.day.forEach((_, row) => (BARS.day[row] = FIRST_DAY - 1 + row));
BARS.close[0] = 100;
COIN.forEach((value, row) => (BARS.close[row + 1] = BARS.close[row]! * (1 + value)));

describe("coinReturns", () => {
  test("takes the dates as written where they fit best", () => {
    const panel = buildPanel(dailyRowsOf([COIN.map((value, row) => (row % 2) * value)]));
    const { returns, shift, warnings } = coinReturns(panel, "btc", BARS)!;
    expect([shift, warnings]).toEqual([0, []]);
    for (const [row, value] of COIN.entries()) expect(returns[row]).toBeCloseTo(value, 12);
  });

  test("takes them as ends of days where those fit better", () => {
    const rows = dailyRowsOf([COIN.subarray(0, 99)]);
    const instants = rows.instants.map((instant) => instant + DAY);
    const { returns, shift, warnings } = coinReturns(
      buildPanel({ ...rows, instants }),
      "btc",
      BARS,
    )!;
    expect([shift, warnings[0]!.code]).toEqual([1, "dates_end_days"]);
    for (const [row, value] of returns.entries()) expect(value).toBeCloseTo(COIN[row]!, 12);
  });

  test("takes them as starts of days or of bars where those fit better", () => {
    const early = coinReturns(buildPanel(dailyRowsOf([COIN.subarray(1)])), "btc", BARS)!;
    expect([early.shift, early.warnings[0]!.code]).toEqual([-1, "dates_begin_days"]);
    const weeks = Array.from({ length: 14 }, (_, week) => 7 * week);
    const growth = weeks.map((day) => BARS.close[day + 7]! / BARS.close[day]! - 1);
    const instants = Float64Array.from(weeks, (day) => (FIRST_DAY + day) * DAY);
    const weekly = buildPanel(dailyRowsOf([Float64Array.from(growth)], { instants }));
    const { returns, warnings } = coinReturns(weekly, "btc", BARS)!;
    expect(warnings[0]!.code).toBe("dates_begin_bars");
    for (const [week, value] of returns.entries()) expect(value).toBeCloseTo(growth[week]!, 12);
  });

  test("stays with the dates as written where neither explains much", () => {
    const [noise] = normalColumns(7, 99, [0]) as [Float64Array];
    expect(coinReturns(buildPanel(dailyRowsOf([noise])), "btc", BARS)!.shift).toBe(0);
  });

  test.each([
    [8, 92, 0],
    [-8, 92, 8],
  ])(
    "of %i days more than the coin has, the others count, and it is said",
    (later, count, from) => {
      const instants = dailyRowsOf([COIN]).instants.map((instant) => instant + later * DAY);
      const moved = COIN.map((_, row) => COIN[row + later] ?? 0.001 * (row % 3));
      const found = coinReturns(buildPanel(dailyRowsOf([moved], { instants })), "btc", BARS)!;
      expect([found.returns.length, found.from]).toEqual([count, from]);
      expect(found.warnings.map(({ code }) => code)).toEqual(["coin_covers_part"]);
      expect(found.returns[0]).toBeCloseTo(COIN[from + later]!, 12);
    },
  );

  test("has none for days that the coin does not have", () => {
    const instants = dailyRowsOf([COIN]).instants.map((instant) => instant - 300 * DAY);
    const panel = buildPanel(dailyRowsOf([COIN], { instants }));
    expect(coinReturns(panel, "btc", BARS)).toBeUndefined();
    expect(closesMissing(panel, "btc", BARS).message).toMatch(
      /closes are known from 2023-01-01 to 2023-04-11/,
    );
  });
});
