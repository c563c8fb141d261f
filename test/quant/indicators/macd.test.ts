import { describe, expect, test } from "vitest";
import { ema } from "../../../quant/indicators/ema.ts";
import { macd } from "../../../quant/indicators/macd.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

describe("macd", () => {
  const close = new Float64Array(9);

  indicatorContract({
    compute: (bars) => ({ ...macd(bars.close, 12, 26, 9) }),
    outputs: {
      line: { warmUp: 25, price: "equivariant", flat: () => 0 },
      signal: { warmUp: 33, price: "equivariant", flat: () => 0 },
      histogram: { warmUp: 33, price: "equivariant", flat: () => 0 },
    },
    refused: [
      ...BAD_PERIODS.map((period) => () => macd(close, period, 26, 9)),
      ...BAD_PERIODS.map((period) => () => macd(close, 12, period, 9)),
      ...BAD_PERIODS.map((period) => () => macd(close, 12, 26, period)),
      () => macd(close, 26, 12, 9),
      () => macd(close, 12, 12, 9),
    ],
  });

  test("seeds the fast average on the day of the slow one", () => {
    // Fast: mean of 4, 6 = 5, then 5 + (2 / 3) (9 - 5). Slow: mean of 2, 4, 6 = 4, then 4 + (9 - 4) / 2.
    const { line, signal, histogram } = macd(Float64Array.of(2, 4, 6, 9), 2, 3, 2);
    const next = 5 + (2 / 3) * 4 - 6.5;
    expect([...line]).toEqual([NaN, NaN, 1, next]);
    expect([...signal]).toEqual([NaN, NaN, NaN, 1 + (next - 1) / 2]);
    expect(histogram[3]).toBe(next - (1 + (next - 1) / 2));
  });

  test("forgets its seed: in the end it is the difference of two plain EMAs", () => {
    const bars = madeUpBars({ seed: 2, days: 400 });
    const plain = ema(bars.close, 12)[399]! - ema(bars.close, 26)[399]!;
    expect(macd(bars.close, 12, 26, 9).line[399]).toBeCloseTo(plain, 10);
  });
});
