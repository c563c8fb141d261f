import { describe, expect, test } from "vitest";
import type { Bars } from "../../../quant/bars.ts";
import { rma } from "../../../quant/indicators/rma.ts";
import { supertrend } from "../../../quant/indicators/supertrend.ts";
import { trueRange } from "../../../quant/indicators/true-range.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { ramp, TALIPP } from "../../support/indicator-reference.ts";
import { testBars, testTickers } from "../../support/real-prices.ts";

/** ta.supertrend as TradingView's reference manual writes it out; its direction is -1 for up. */
function pineSupertrend({ high, low, close }: Bars, period: number, factor: number) {
  const ranges = rma(trueRange(high, low, close), period);
  const value: number[] = [];
  const direction: number[] = [];
  const lowerBands: number[] = [];
  const upperBands: number[] = [];
  const nz = (number: number | undefined) =>
    number === undefined || Number.isNaN(number) ? 0 : number;
  for (let bar = 0; bar < close.length; bar++) {
    const source = (high[bar]! + low[bar]!) / 2;
    let upper = source + factor * ranges[bar]!;
    let lower = source - factor * ranges[bar]!;
    const lowerBefore = nz(lowerBands[bar - 1]);
    const upperBefore = nz(upperBands[bar - 1]);
    const closeBefore = close[bar - 1]!;
    lower = lower > lowerBefore || closeBefore < lowerBefore ? lower : lowerBefore;
    upper = upper < upperBefore || closeBefore > upperBefore ? upper : upperBefore;
    let trend: number;
    if (bar === 0 || Number.isNaN(ranges[bar - 1]!)) trend = 1;
    else if (value[bar - 1] === upperBefore) trend = close[bar]! > upper ? -1 : 1;
    else trend = close[bar]! < lower ? 1 : -1;
    lowerBands.push(Number.isNaN(ranges[bar]!) ? NaN : lower);
    upperBands.push(Number.isNaN(ranges[bar]!) ? NaN : upper);
    value.push(trend === -1 ? lowerBands[bar]! : upperBands[bar]!);
    direction.push(Number.isNaN(ranges[bar]!) ? NaN : trend);
  }
  return { value, direction: direction.map((trend) => -trend) };
}

describe("supertrend", () => {
  const of = ({ high, low, close }: Bars, period = 10, multiplier = 3) =>
    supertrend(high, low, close, period, multiplier);

  indicatorContract({
    compute: (bars) => ({ ...of(bars) }),
    outputs: {
      value: { warmUp: 9, price: "equivariant", flat: ({ price }) => price },
      direction: { warmUp: 9, price: "invariant", flat: () => -1 },
    },
    refused: [
      ...BAD_PERIODS.map((period) => () => of(TALIPP, period)),
      ...[0, -1, NaN, Infinity].map((multiplier) => () => of(TALIPP, 10, multiplier)),
    ],
  });

  test("matches the values talipp publishes", () => {
    const { value, direction } = of(TALIPP);
    const rows = [34, 46, 47, 48, 49];
    expect(rows.map((row) => value[row]!.toFixed(5))).toEqual([
      "9.71159",
      "8.11003",
      "8.48803",
      "8.48803",
      "8.48803",
    ]);
    expect(rows.map((row) => direction[row])).toEqual([-1, 1, 1, 1, 1]);
  });

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

  const over = (
    days: readonly (readonly [high: number, low: number, close: number])[],
    factor: number,
  ) => {
    const [high, low, close] = [0, 1, 2].map((at) => Float64Array.from(days, (day) => day[at]!));
    const { value, direction } = supertrend(high!, low!, close!, 2, factor);
    return { value: [...value.subarray(1)], direction: [...direction.subarray(1)] };
  };

  test("neither turns nor moves its band on a close that is exactly on it", () => {
    // Average ranges 4, 6, 6 and 5; the lower band is 6, then 10, and would be 6 and 5 if it could fall.
    const days = over(
      [
        [12, 8, 10],
        [12, 8, 10],
        [18, 14, 16],
        [14, 10, 10],
        [12, 8, 11],
      ],
      1,
    );
    expect(days).toEqual({ value: [14, 10, 10, 10], direction: [-1, 1, 1, 1] });
  });

  test("has no band below zero, however wide the days", () => {
    // Average ranges 8 and 20: the lower band would be -18 and -36.
    const days = over(
      [
        [10, 2, 9],
        [10, 2, 9],
        [40, 8, 39],
      ],
      3,
    );
    expect(days).toEqual({ value: [30, 0], direction: [-1, 1] });
  });

  test("begins in a down-trend even above its first band", () => {
    expect(
      over(
        [
          [12, 8, 10],
          [12, 8, 12],
        ],
        0.25,
      ),
    ).toEqual({ value: [11], direction: [-1] });
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
