import { describe, expect, test } from "vitest";
import { bullBearPower } from "../../../quant/indicators/bull-bear-power.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { ramp, TULIP } from "../../support/indicator-reference.ts";

describe("bullBearPower", () => {
  indicatorContract({
    compute: ({ high, low, close }) => ({ ...bullBearPower(high, low, close, 13) }),
    outputs: {
      bull: { warmUp: 12, price: "equivariant", flat: () => 0 },
      bear: { warmUp: 12, price: "equivariant", flat: () => 0 },
    },
    refused: BAD_PERIODS.map(
      (period) => () => bullBearPower(TULIP.high, TULIP.low, TULIP.close, period),
    ),
  });

  test("is high and low above an average that a steady rise leaves 6 days behind", () => {
    const { high, low, close } = ramp(40);
    const { bull, bear } = bullBearPower(high, low, close, 13);
    expect(bull[39]).toBeCloseTo(7, 10);
    expect(bear[39]).toBeCloseTo(5, 10);
  });
});
