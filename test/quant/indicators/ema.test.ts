import { describe, expect, test } from "vitest";
import { ema } from "../../../quant/indicators/ema.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";

describe("ema", () => {
  indicatorContract({
    compute: ({ close }) => ({ average: ema(close, 20) }),
    outputs: { average: { warmUp: 19, price: "equivariant", flat: ({ price }) => price } },
    refused: BAD_PERIODS.map((period) => () => ema(new Float64Array(9), period)),
  });

  test("starts on the plain mean and moves by 2 / (period + 1) of the distance", () => {
    // Mean of 1, 2, 6 is 3; then 3 + (7 - 3) / 2 = 5 and 5 + (1 - 5) / 2 = 3.
    expect([...ema(Float64Array.of(1, 2, 6, 7, 1), 3)]).toEqual([NaN, NaN, 3, 5, 3]);
  });

  test("counts its warm-up from the first number", () => {
    expect([...ema(Float64Array.of(NaN, NaN, 1, 2, 6, 7), 3)]).toEqual([NaN, NaN, NaN, NaN, 3, 5]);
  });
});
