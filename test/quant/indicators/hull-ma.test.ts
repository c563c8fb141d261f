import { describe, expect, test } from "vitest";
import { hullMa } from "../../../quant/indicators/hull-ma.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TALIPP, TULIP } from "../../support/indicator-reference.ts";

describe("hullMa", () => {
  indicatorContract({
    compute: ({ close }) => ({ average: hullMa(close, 9) }),
    outputs: { average: { warmUp: 10, price: "equivariant", flat: ({ price }) => price } },
    refused: [...BAD_PERIODS, 1].map((period) => () => hullMa(TULIP.close, period)),
  });

  test("matches the series Tulip publishes", () => {
    expect(printed(hullMa(TULIP.close, 5))).toEqual(
      published("83.690,83.038,83.472,84.550,84.835,85.360,86.552,87.346,87.965,87.916"),
    );
  });

  test("matches the values talipp publishes", () => {
    expect(printed(hullMa(TALIPP.close, 20), 5).slice(-3)).toEqual(
      published("9.71802,9.94019,10.10407"),
    );
  });
});
