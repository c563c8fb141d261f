import { describe, expect, test } from "vitest";
import { benjaminiYekutieli } from "../../../quant/overfitting/multiple-testing.ts";
import { normalCdf } from "../../../quant/overfitting/normal-cdf.ts";

/** Harvey and Liu, 2015, pp. 15-17. */
const SIX = [0.005, 0.009, 0.0128, 0.0135, 0.045, 0.06];

/** 6 c(6) / 4 times the fourth p, with c(6) = 2.45: printed as .0496. */
const FOURTH = 0.0496125;

const rounded = (pValues: readonly number[]) => pValues.map((p) => Number(p.toFixed(10)));

describe("Harvey and Liu's six p-values", () => {
  test("Benjamini and Yekutieli: the largest is scaled by c(M) as well", () => {
    expect(rounded(benjaminiYekutieli(SIX))).toEqual([
      FOURTH,
      FOURTH,
      FOURTH,
      FOURTH,
      0.1323,
      0.147,
    ]);
  });
});

describe("Harvey, Liu and Zhu's ten strategies", () => {
  // "... and the Cross-Section of Expected Returns", Rev. of Financial Studies 29(1), 2016 (doi
  // 10.1093/rfs/hhv059), Table 4: t-ratios, two-sided normal p-values, and which tests 5 % leaves. Taken from the
  // test of that example in the Python package numeraire 0.2.2 (`test_adjust_tests_hlz_table4_worked_example`).
  const T_RATIOS = [1.99, 2.63, 2.21, 3.43, 2.17, 2.64, 4.56, 5.34, 2.75, 2.49];
  const pValuesOf = (ratios: readonly number[]) => ratios.map((t) => 2 * normalCdf(-t));
  const pValues = pValuesOf(T_RATIOS);

  /** Numbers of the tests that stay significant, counted from 1 as in the table. */
  const left = (adjusted: readonly number[]) =>
    [...adjusted.keys()].filter((k) => adjusted[k]! <= 0.05).map((k) => k + 1);

  test("are ten discoveries alone, six by BHY", () => {
    expect(left(pValues)).toHaveLength(10);
    expect(left(benjaminiYekutieli(pValues))).toEqual([2, 4, 6, 7, 8, 9]);
  });

  // multipletests of statsmodels 0.14 with "fdr_by".
  test("have the adjusted p-values of statsmodels", () => {
    const yekutielis = [
      0.13646337100342334, 0.04168159471228637, 0.09765455464648802, 0.005892901058826316,
      0.09765455464648802, 0.04168159471228637, 7.491366568330036e-5, 2.7223758654853105e-6,
      0.04168159471228637, 0.05345078154200175,
    ];
    expect(rounded(benjaminiYekutieli(pValues))).toEqual(rounded(yekutielis));
  });
});

describe("RiskLabAI's own tests", () => {
  const pValuesOf = (sharpes: readonly number[], returns: number) =>
    sharpes.map((sharpe) => normalCdf(-sharpe * Math.sqrt(returns)));

  test("four Sharpe ratios over 120 returns", () => {
    const pValues = pValuesOf([0.25, 0.18, 0.05, 0.02], 120);
    const theirs = [
      0.0030849496602720805, 0.024316152257345184, 0.29194121038518256, 0.4132903507196785,
    ];
    expect(rounded(pValues)).toEqual(rounded(theirs));
    const adjusted = [0.025707913836, 0.101317301072, 0.810947806626, 0.861021563999];
    expect(rounded(benjaminiYekutieli(pValues))).toEqual(rounded(adjusted));
  });

  test("six over 250, two of them equal", () => {
    const pValues = pValuesOf([0.3, 0.1, 0.1, 0.22, 0.01, 0.15], 250);
    const yekutielis = [
      1.5445554e-5, 0.16735405807, 0.16735405807, 0.001853001993, 1, 0.043379861228,
    ];
    expect(rounded(benjaminiYekutieli(pValues))).toEqual(rounded(yekutielis));
  });
});

describe("adjusted p-values", () => {
  test("keep the order of the input", () => {
    const order = [3, 0, 5, 1, 4, 2];
    const sorted = benjaminiYekutieli(SIX);
    expect(benjaminiYekutieli(order.map((k) => SIX[k]!))).toEqual(order.map((k) => sorted[k]));
  });

  test("stay within p and 1, and leave one alone", () => {
    const many = [0.9, 0.5, 0.2, 0.9, 1, 0];
    const adjusted = benjaminiYekutieli(many);
    expect(adjusted.every((p, k) => p >= many[k]! && p <= 1)).toBe(true);
    expect(benjaminiYekutieli([0.03])).toEqual([0.03]);
    expect(benjaminiYekutieli([])).toEqual([]);
  });
});
