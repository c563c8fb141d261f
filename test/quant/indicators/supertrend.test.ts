import { describe, expect, test } from "vitest";
import type { Bars } from "../../../quant/bars.ts";
import { supertrend } from "../../../quant/indicators/supertrend.ts";
import { ramp } from "../../support/indicator-reference.ts";
import { pineSupertrend } from "../../support/pine-supertrend.ts";
import { testBars, testTickers } from "../../support/real-prices.ts";

describe("supertrend", () => {
  const of = (bars: Bars, period = 10, multiplier = 3) => supertrend(bars, period, multiplier);

  test("begins in a down-trend and turns up when the close is above the band", () => {
    const bars = ramp(6);
    bars.high[4] = 120;
    bars.close[4] = 119;
    const { value, direction } = of(bars, 2, 1);
    // Ranges are 2 until the day of 17; the upper band stays at the first day's 101 + 2 = 103.
    expect([...direction]).toEqual([NaN, -1, -1, -1, 1, 1]);
    expect(Array.from(value.subarray(1, 4))).toEqual([103, 103, 103]);
    expect(value[4]).toBe((120 + 103) / 2 - (2 + 17) / 2);
  });

  /** Over some days, given as the high, low and close of each. */
  const over = (days: string, factor: number) => {
    const prices = days.split(", ").map((day) => day.split(" ").map(Number));
    const [high, low, close] = [0, 1, 2].map((at) => Float64Array.from(prices, (day) => day[at]!));
    const { value, direction } = supertrend({ high: high!, low: low!, close: close! }, 2, factor);
    return { value: [...value.subarray(1)], direction: [...direction.subarray(1)] };
  };

  test("neither turns nor moves its band on a close that is exactly on it", () => {
    // Average ranges 4, 6, 6 and 5; the lower band is 6, then 10, and would be 6 and 5 if it could fall.
    const days = over("12 8 10, 12 8 10, 18 14 16, 14 10 10, 12 8 11", 1);
    expect(days).toEqual({ value: [14, 10, 10, 10], direction: [-1, 1, 1, 1] });
  });

  test("has no band below zero, however wide the days", () => {
    // Average ranges 8 and 20: the lower band would be -18 and -36.
    const days = over("10 2 9, 10 2 9, 40 8 39", 3);
    expect(days).toEqual({ value: [30, 0], direction: [-1, 1] });
  });

  test("begins in a down-trend even above its first band", () => {
    expect(over("12 8 10, 12 8 12", 0.25)).toEqual({ value: [11], direction: [-1] });
  });

  test.each(testTickers().slice(0, 12))(
    "follows TradingView's text on every day of %s",
    (ticker) => {
      const bars = testBars(ticker);
      const { value, direction } = of(bars);
      const reference = pineSupertrend(bars, 10, 3);
      expect([...value]).toEqual(reference.value);
      expect([...direction]).toEqual(reference.direction);
    },
  );
});
