import { describe, expect, test } from "vitest";
import { trueRange } from "../../../quant/indicators/true-range.ts";
import { indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";

describe("trueRange", () => {
  indicatorContract({
    compute: ({ high, low, close }) => ({ range: trueRange(high, low, close) }),
    outputs: { range: { warmUp: 0, price: "equivariant", flat: () => 0 } },
    refused: [],
  });

  test("matches the series Tulip publishes, the first day included", () => {
    expect(printed(trueRange(TULIP.high, TULIP.low, TULIP.close))).toEqual(
      published(
        "0.860,1.250,1.970,0.650,0.850,0.790,0.840,2.000,0.850,0.890,1.870,1.190,1.220,1.110,0.860",
      ),
    );
  });
});
