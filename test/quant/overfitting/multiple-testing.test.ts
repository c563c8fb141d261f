import { describe, expect, test } from "vitest";
import {
  benjaminiYekutieli,
  bonferroni,
  harveyLiuBhy,
  holm,
} from "../../../quant/overfitting/multiple-testing.ts";
import { normalCdf } from "../../../quant/overfitting/normal-cdf.ts";

/** Harvey and Liu, 2015, pp. 15-17. */
const SIX = [0.005, 0.009, 0.0128, 0.0135, 0.045, 0.06];

/** 6 c(6) / 4 times the fourth p, with c(6) = 2.45: printed as .0496. */
const FOURTH = 0.0496125;

const rounded = (pValues: readonly number[]) => pValues.map((p) => Number(p.toFixed(10)));

describe("Harvey and Liu's six p-values", () => {
  test("Bonferroni", () => {
    expect(rounded(bonferroni(SIX))).toEqual([0.03, 0.054, 0.0768, 0.081, 0.27, 0.36]);
  });

  test("Holm", () => {
    expect(rounded(holm(SIX))).toEqual([0.03, 0.045, 0.0512, 0.0512, 0.09, 0.09]);
  });

  test("BHY as they have it: the largest stays as it is", () => {
    expect(rounded(harveyLiuBhy(SIX))).toEqual([FOURTH, FOURTH, FOURTH, FOURTH, 0.06, 0.06]);
    expect(harveyLiuBhy(SIX)[0]!.toFixed(4)).toBe("0.0496");
  });

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
  // "... and the Cross-Section of Expected Returns", Rev. of Financial Studies 29(1), 2016, the example of
  // section 4.4, quoted from memory because the printed page could not be opened. The counts follow from
  // thresholds worked out by hand: by Holm the fourth has 0.60 <= 5 / 7 and the fifth 0.84 > 5 / 6; by BHY
  // the sixth has 0.85 <= 6 x 5 / 29.29 and the seventh 1.28 > 1.195.
  const pValues = [4.66, 0.85, 2.71, 0.05, 3.0, 0.84, 0.0, 0.0, 0.6, 1.28].map((p) => p / 100);
  const discoveries = (adjusted: readonly number[]) => adjusted.filter((p) => p <= 0.05).length;

  test("are ten discoveries alone, three by Bonferroni, four by Holm, six by BHY", () => {
    const counts = [pValues, bonferroni(pValues), holm(pValues), benjaminiYekutieli(pValues)];
    expect(counts.map(discoveries)).toEqual([10, 3, 4, 6]);
    // The largest p, 4.66 %, is left as it is and caps all the others.
    expect(discoveries(harveyLiuBhy(pValues))).toBe(10);
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
    expect(rounded(holm(pValues))).toEqual(
      rounded([0.012339798641, 0.072948456772, 0.58388242077, 0.58388242077]),
    );
    const adjusted = [0.025707913836, 0.101317301072, 0.810947806626, 0.861021563999];
    expect(rounded(benjaminiYekutieli(pValues))).toEqual(rounded(adjusted));
  });

  test("six over 250, two of them equal", () => {
    const pValues = pValuesOf([0.3, 0.1, 0.1, 0.22, 0.01, 0.15], 250);
    const holms = [
      6.304308e-6, 0.17076944701, 0.17076944701, 0.001260545574, 0.437183530581, 0.035412131615,
    ];
    const yekutielis = [
      1.5445554e-5, 0.16735405807, 0.16735405807, 0.001853001993, 1, 0.043379861228,
    ];
    expect(rounded(holm(pValues))).toEqual(rounded(holms));
    expect(rounded(benjaminiYekutieli(pValues))).toEqual(rounded(yekutielis));
  });
});

describe("adjusted p-values", () => {
  const METHODS = { bonferroni, holm, harveyLiuBhy, benjaminiYekutieli };

  test.each(Object.entries(METHODS))("%s keeps the order of the input", (_, adjust) => {
    const order = [3, 0, 5, 1, 4, 2];
    const sorted = adjust(SIX);
    expect(adjust(order.map((k) => SIX[k]!))).toEqual(order.map((k) => sorted[k]));
  });

  test.each(Object.entries(METHODS))(
    "%s stays within p and 1, and leaves one alone",
    (_, adjust) => {
      const many = [0.9, 0.5, 0.2, 0.9, 1, 0];
      const adjusted = adjust(many);
      expect(adjusted.every((p, k) => p >= many[k]! && p <= 1)).toBe(true);
      expect(adjust([0.03])).toEqual([0.03]);
      expect(adjust([])).toEqual([]);
    },
  );

  test("Bonferroni of 100 tests is 0.465 of Harvey and Liu's Exhibit 5", () => {
    // The p-value of t = 2.8848 under Student's t with 119 degrees of freedom, from scipy.
    const pValues = [0.004651230001594447, ...Array<number>(99).fill(1)];
    expect(bonferroni(pValues)[0]).toBeCloseTo(0.46512, 5);
  });
});
