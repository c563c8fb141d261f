import { describe, expect, test } from "vitest";
import { atr } from "../../../quant/indicators/atr.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { ramp, TULIP } from "../../support/indicator-reference.ts";

describe("atr", () => {
  indicatorContract({
    compute: ({ high, low, close }) => ({ atr: atr(high, low, close, 14) }),
    outputs: { atr: { warmUp: 14, price: "equivariant", flat: () => 0 } },
    refused: BAD_PERIODS.map((period) => () => atr(TULIP.high, TULIP.low, TULIP.close, period)),
  });

  test("leaves the first day's range out", () => {
    const { high, low, close } = ramp(20);
    high[0] = 1000;
    expect(atr(high, low, close, 5)[5]).toBe(2);
  });

  test("smooths by Wilder's rule", () => {
    const { high, low, close } = ramp(20);
    high[6] = low[6]! + 12;
    expect(atr(high, low, close, 5)[6]).toBeCloseTo((2 * 4 + 12) / 5, 12);
  });
});
