import { describe, expect, test } from "vitest";
import { autocorrelationScale } from "../../../quant/overfitting/autocorrelation-scale.ts";

describe("autocorrelationScale", () => {
  test("is the square root of the bars without autocorrelation", () => {
    const row = [2, 3, 4, 6, 12, 24].map((bars) => autocorrelationScale(bars, 0).toFixed(2));
    expect(row).toEqual(["1.41", "1.73", "2.00", "2.45", "3.46", "4.90"]); // Lo 2002, Table 2
  });

  test("is Lo's sum over the autocorrelations for an AR(1)", () => {
    for (const rho of [-0.9, -0.2, 0.1, 0.5, 0.9]) {
      for (const bars of [2, 12, 250]) {
        let sum = 0;
        for (let k = 1; k < bars; k++) sum += (bars - k) * rho ** k;
        const expected = bars / Math.sqrt(bars + 2 * sum);
        expect(autocorrelationScale(bars, rho)).toBeCloseTo(expected, 10);
      }
    }
  });

  test("turns an annual 1 of months with 0.1 into 0.912 (Harvey and Liu, Exhibit 5)", () => {
    expect(autocorrelationScale(12, 0.1) / Math.sqrt(12)).toBeCloseTo(0.9122454608, 10);
  });
});
