import { describe, expect, test } from "vitest";
import { aroon } from "../../../quant/indicators/aroon.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";

describe("aroon", () => {
  indicatorContract({
    compute: ({ high, low }) => ({ ...aroon(high, low, 25) }),
    outputs: {
      // Every day of a flat market is its latest highest and lowest.
      up: { warmUp: 25, price: "invariant", flat: () => 100 },
      down: { warmUp: 25, price: "invariant", flat: () => 100 },
    },
    refused: BAD_PERIODS.map((period) => () => aroon(TULIP.high, TULIP.low, period)),
  });

  test("matches the series Tulip publishes", () => {
    const { up, down } = aroon(TULIP.high, TULIP.low, 5);
    expect(printed(down)).toEqual(
      published("20.000,0.000,0.000,80.000,60.000,40.000,20.000,0.000,40.000,20.000"),
    );
    expect(printed(up)).toEqual(
      published("100.000,80.000,100.000,100.000,100.000,100.000,100.000,100.000,100.000,80.000"),
    );
  });
});
