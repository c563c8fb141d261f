import { describe, expect, test } from "vitest";
import { mfi } from "../../../quant/indicators/mfi.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, ramp, TULIP } from "../../support/indicator-reference.ts";

describe("mfi", () => {
  const { high, low, close, volume } = TULIP;

  indicatorContract({
    compute: (bars) => ({ mfi: mfi(bars.high, bars.low, bars.close, bars.volume, 14) }),
    outputs: { mfi: { warmUp: 14, price: "invariant", flat: () => 0 } },
    refused: BAD_PERIODS.map((period) => () => mfi(high, low, close, volume, period)),
  });

  test("matches the series Tulip publishes", () => {
    expect(printed(mfi(high, low, close, volume, 5))).toEqual(
      published("61.172,67.308,62.796,64.661,45.238,67.841,85.578,85.963,87.504,84.647"),
    );
  });

  test("is 0 where nothing was traded, and has no minimum flow, as in TA-Lib 0.8", () => {
    const rising = ramp(20);
    const values = (traded: number) =>
      mfi(rising.high, rising.low, rising.close, new Float64Array(20).fill(traded), 5)[19];
    expect(values(0)).toBe(0);
    expect(values(1e-12)).toBe(100);
    expect(values(1)).toBe(100);
  });

  test("treats means of the same prices in another order as the same price", () => {
    // The sum of 0.1, 0.2 and 0.3 is 0.6000000000000001 or 0.6, depending on the order.
    const prices = [0.05, 0.1, 0.3].map((each) => Float64Array.of(each, each, 0.3));
    const orders = [
      [0.1, 0.2, 0.3],
      [0.3, 0.2, 0.1],
    ];
    for (const [row, order] of orders.entries())
      for (const [column, price] of order.entries()) prices[column]![row + 1] = price;
    const [first, second, third] = prices as [Float64Array, Float64Array, Float64Array];
    const traded = Float64Array.of(1, 1, 1);
    expect(mfi(first, second, third, traded, 1)[2]).toBe(0);
    expect(mfi(first, second, third, traded, 2)[2]).toBe(100);
  });
});
