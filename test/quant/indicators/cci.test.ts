import { describe, expect, test } from "vitest";
import { cci } from "../../../quant/indicators/cci.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { ramp, TULIP } from "../../support/indicator-reference.ts";

describe("cci", () => {
  indicatorContract({
    compute: ({ high, low, close }) => ({ cci: cci(high, low, close, 20) }),
    outputs: { cci: { warmUp: 19, price: "invariant", flat: () => 0 } },
    refused: [...BAD_PERIODS, 1].map(
      (period) => () => cci(TULIP.high, TULIP.low, TULIP.close, period),
    ),
  });

  test("of a steady rise is the distance in mean deviations", () => {
    // Five prices 1 apart: 2 above their mean, mean deviation 6 / 5.
    const { high, low, close } = ramp(10);
    expect(cci(high, low, close, 5)[9]).toBeCloseTo(2 / (0.015 * 1.2), 10);
  });
});
