import { describe, expect, test } from "vitest";
import { sma } from "../../../quant/indicators/sma.ts";
import { vwma } from "../../../quant/indicators/vwma.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TALIPP, TULIP } from "../../support/indicator-reference.ts";

describe("vwma", () => {
  indicatorContract({
    compute: ({ close, volume }) => ({ average: vwma(close, volume, 20) }),
    outputs: { average: { warmUp: 19, price: "equivariant", flat: ({ price }) => price } },
    refused: BAD_PERIODS.map((period) => () => vwma(TULIP.close, TULIP.volume, period)),
  });

  test("matches the series Tulip publishes", () => {
    expect(printed(vwma(TULIP.close, TULIP.volume, 5))).toEqual(
      published("82.332,82.610,83.070,83.354,83.682,83.822,84.409,85.165,85.698,86.418,86.805"),
    );
  });

  test("matches the values talipp publishes", () => {
    expect(printed(vwma(TALIPP.close, TALIPP.volume, 20), 5).slice(-3)).toEqual(
      published("9.32020,9.35260,9.45771"),
    );
  });

  test("weighs by volume as long as one close of the window is another", () => {
    const averages = vwma(Float64Array.of(1, 2, 2, 2, 2), Float64Array.of(3, 1, 1, 1, 5), 4);
    expect([...averages]).toEqual([NaN, NaN, NaN, (3 + 2 + 2 + 2) / 6, 2]);
  });

  test("is the plain average where nothing was traded", () => {
    const nothing = new Float64Array(TULIP.close.length);
    expect(vwma(TULIP.close, nothing, 5)).toEqual(sma(TULIP.close, 5));
  });
});
