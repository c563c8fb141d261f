import { describe, expect, test } from "vitest";
import { autocorrelationScale } from "./autocorrelation-scale.ts";

describe("autocorrelationScale", () => {
  // Lo, "The Statistics of Sharpe Ratios", Financial Analysts J. 58(4), 2002 (doi 10.2469/faj.v58.n4.2453),
  // Table 2 on p. 41, for 2 to 250 periods: the six rows that the Python test
  // `test_lo_annualisation_factor_reproduces_lo_2002_table_2`, in public on GitHub, copies from that page. Beside
  // the table Lo himself writes out 4.17, 3.46 and 2.88 for a year of months at -0.2, 0 and 0.2.
  test.each([
    [0.9, "1.03 1.05 1.07 1.10 1.21 1.41 1.60 1.77 2.67 3.70"],
    [0.5, "1.15 1.28 1.39 1.60 2.12 2.91 3.53 4.06 6.49 9.15"],
    [0.2, "1.29 1.52 1.73 2.07 2.88 4.04 4.93 5.68 9.14 12.92"],
    [0, "1.41 1.73 2.00 2.45 3.46 4.90 6.00 6.93 11.18 15.81"],
    [-0.2, "1.58 1.99 2.33 2.90 4.17 5.95 7.31 8.45 13.67 19.35"],
    [-0.5, "2.00 2.45 3.02 3.84 5.69 8.26 10.21 11.84 19.26 27.31"],
  ])("is Lo's factor at an autocorrelation of %d", (rho, row) => {
    const factors = [2, 3, 4, 6, 12, 24, 36, 48, 125, 250].map((bars) =>
      autocorrelationScale(bars, rho).toFixed(2),
    );
    expect(factors.join(" ")).toBe(row);
  });

  // A cell of the row that none of those is, from `LO_EQ22_TABLE2` of another public Python test.
  test("and 4.47 over two periods at -0.9", () => {
    expect(autocorrelationScale(2, -0.9).toFixed(2)).toBe("4.47");
  });

  test("is Lo's sum over the autocorrelations, eq. 20, for an AR(1)", () => {
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
