import { describe, expect, test } from "vitest";
import { donchian } from "../../../quant/indicators/donchian.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { ramp, TULIP } from "../../support/indicator-reference.ts";

describe("donchian", () => {
  const same = ({ price }: { price: number }) => price;

  indicatorContract({
    compute: ({ high, low }) => ({ ...donchian(high, low, 20) }),
    outputs: {
      upper: { warmUp: 19, price: "equivariant", flat: same },
      middle: { warmUp: 19, price: "equivariant", flat: same },
      lower: { warmUp: 19, price: "equivariant", flat: same },
    },
    refused: BAD_PERIODS.map((period) => () => donchian(TULIP.high, TULIP.low, period)),
  });

  test("takes the day itself in", () => {
    const { high, low } = ramp(30);
    const { upper, middle, lower } = donchian(high, low, 20);
    expect([upper[29], middle[29], lower[29]]).toEqual([130, 119.5, 109]);
  });
});
