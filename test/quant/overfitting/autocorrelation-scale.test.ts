import { describe, expect, test } from "vitest";
import { autocorrelationScale } from "../../../quant/overfitting/autocorrelation-scale.ts";

describe("autocorrelationScale", () => {
  // Lo 2002, Table 2: aggregation over 2, 3, 4, 6, 12 and 24 periods, by first autocorrelation. Quoted from
  // memory because the printed page could not be opened; the sum below, written from his eq. 20, gives
  // every cell too.
  test.each([
    [0.9, ["1.03", "1.05", "1.07", "1.10", "1.21", "1.41"]],
    [0.8, ["1.05", "1.10", "1.14", "1.21", "1.43", "1.81"]],
    [0.7, ["1.08", "1.15", "1.21", "1.33", "1.65", "2.19"]],
    [0.6, ["1.12", "1.21", "1.30", "1.46", "1.89", "2.55"]],
    [0.5, ["1.15", "1.28", "1.39", "1.60", "2.12", "2.91"]],
    [0.4, ["1.20", "1.35", "1.49", "1.75", "2.36", "3.27"]],
    [0.3, ["1.24", "1.43", "1.60", "1.91", "2.61", "3.65"]],
    [0.2, ["1.29", "1.52", "1.73", "2.07", "2.88", "4.04"]],
    [0.1, ["1.35", "1.62", "1.86", "2.25", "3.16", "4.45"]],
    [0, ["1.41", "1.73", "2.00", "2.45", "3.46", "4.90"]],
  ])("is Lo's factor at an autocorrelation of %d", (rho, row) => {
    expect([2, 3, 4, 6, 12, 24].map((bars) => autocorrelationScale(bars, rho).toFixed(2))).toEqual(
      row,
    );
  });

  test("is Lo's sum over the autocorrelations for an AR(1)", () => {
    for (const rho of [-0.9, -0.2, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]) {
      for (const bars of [2, 3, 4, 6, 12, 24, 250]) {
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

  test("and of days, weeks, months, quarters and years into what mlfinlab's own test has", () => {
    const rows = [360, 52, 12, 4, 1].map(
      (bars) => autocorrelationScale(bars, 0.1) / Math.sqrt(bars),
    );
    expect(rows.map((scale) => scale.toFixed(3))).toEqual([
      "0.905",
      "0.906",
      "0.912",
      "0.928",
      "1.000",
    ]);
  });
});
