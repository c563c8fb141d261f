import { describe, expect, test } from "vitest";
import { sma } from "../../../quant/indicators/sma.ts";
import { vwma } from "../../../quant/indicators/vwma.ts";
import { TULIP } from "../../support/indicator-reference.ts";

describe("vwma", () => {
  test("weighs by volume as long as one close of the window is another", () => {
    const averages = vwma(
      { close: Float64Array.of(1, 2, 2, 2, 2), volume: Float64Array.of(3, 1, 1, 1, 5) },
      4,
    );
    expect([...averages]).toEqual([NaN, NaN, NaN, (3 + 2 + 2 + 2) / 6, 2]);
  });

  test("is the plain average where nothing was traded", () => {
    const nothing = new Float64Array(TULIP.close.length);
    expect(vwma({ close: TULIP.close, volume: nothing }, 5)).toEqual(sma(TULIP.close, 5));
  });
});
