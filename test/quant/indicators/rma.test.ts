import { describe, expect, test } from "vitest";
import { rma } from "../../../quant/indicators/rma.ts";
import { trueRange } from "../../../quant/indicators/true-range.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";

describe("rma", () => {
  indicatorContract({
    compute: ({ close }) => ({ average: rma(close, 14) }),
    outputs: { average: { warmUp: 13, price: "equivariant", flat: ({ price }) => price } },
    refused: BAD_PERIODS.map((period) => () => rma(TULIP.close, period)),
  });

  test("matches the series Tulip publishes as Wilder's smoothing", () => {
    expect(printed(rma(TULIP.close, 5))).toEqual(
      published("82.426,82.571,82.625,82.898,83.228,83.455,83.870,84.404,84.901,85.475,85.838"),
    );
  });

  test("of the true range is the average true range of Tulip and TradingView", () => {
    const ranges = trueRange(TULIP.high, TULIP.low, TULIP.close);
    expect(printed(rma(ranges, 5))).toEqual(
      published("1.116,1.051,1.009,1.207,1.136,1.086,1.243,1.233,1.230,1.206,1.137"),
    );
  });
});
