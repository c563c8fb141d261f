import { describe, expect, test } from "vitest";
import { sma } from "../../../quant/indicators/sma.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";

describe("sma", () => {
  indicatorContract({
    compute: ({ close }) => ({ average: sma(close, 20) }),
    outputs: { average: { warmUp: 19, price: "equivariant", flat: ({ price }) => price } },
    refused: BAD_PERIODS.map((period) => () => sma(TULIP.close, period)),
  });

  test("matches the series Tulip publishes", () => {
    expect(printed(sma(TULIP.close, 5))).toEqual(
      published("82.426,82.738,83.094,83.318,83.628,83.778,84.254,84.994,85.574,86.218,86.804"),
    );
  });

  test("over one day is the value itself", () => {
    expect(sma(TULIP.close, 1)).toEqual(TULIP.close);
  });

  test("keeps all digits after a price has lost nearly everything", () => {
    const collapsed = Float64Array.of(1e9, 3e8, 7e7, 0.1, 0.2, 0.3, 0.4, 0.5);
    expect(Array.from(sma(collapsed, 3).subarray(5))).toEqual([
      (0.1 + 0.2 + 0.3) / 3,
      (0.2 + 0.3 + 0.4) / 3,
      (0.3 + 0.4 + 0.5) / 3,
    ]);
  });
});
