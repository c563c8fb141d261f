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

  test("is 0 while less than a dollar was traded, as in TA-Lib", () => {
    const rising = ramp(20);
    const values = (traded: number) =>
      mfi(rising.high, rising.low, rising.close, new Float64Array(20).fill(traded), 5)[19];
    expect(values(0)).toBe(0);
    expect(values(0.001)).toBe(0);
    expect(values(1)).toBe(100);
  });
});
