import { describe, expect, test } from "vitest";
import {
  familyWisePValue,
  minTrackRecordLength,
  probabilisticSharpe,
  sharpeStandardError,
  sharpeVarianceTerm,
  sharpeZScore,
} from "../../../quant/overfitting/probabilistic-sharpe.ts";
import { relativeError } from "./relative-error.ts";

const NORMAL = { skew: 0, kurtosis: 3 };
/** The hedge fund of the 2012 paper: 24 monthly returns. */
const MONTHLY = { sharpe: 0.458, observations: 24 };
const SKEWED = { skew: -2.448, kurtosis: 10.164 };

describe("published by Bailey and Lopez de Prado, 2012", () => {
  test("PSR of 24 months at 0.458: 0.982 with normal returns, 0.913 with theirs", () => {
    expect(probabilisticSharpe({ ...MONTHLY, ...NORMAL }, 0)).toBeCloseTo(0.98167, 5);
    expect(probabilisticSharpe({ ...MONTHLY, ...SKEWED }, 0)).toBeCloseTo(0.91336, 5);
  });

  // Two hedge fund indices over 134 months.
  const FIRST = { sharpe: 0.7079, observations: 134, skew: -0.225, kurtosis: 2.957 };
  const SECOND = { sharpe: 0.8183, observations: 134, skew: -1.4455, kurtosis: 7.0497 };

  test("standard errors 0.1028 and 0.1550", () => {
    expect(sharpeStandardError(FIRST)).toBeCloseTo(0.10276, 5);
    expect(sharpeStandardError(SECOND)).toBeCloseTo(0.15501, 5);
  });

  test("minimum track records of those, 0.7152 and 1.1593 years", () => {
    expect(minTrackRecordLength(FIRST, 0, 0.95) / 12).toBeCloseTo(0.715216, 6);
    expect(minTrackRecordLength(SECOND, 0, 0.95) / 12).toBeCloseTo(1.159303, 6);
  });

  test.each([
    { bars: 250, years: 2.73119, moments: NORMAL },
    { bars: 52, years: 2.82883, moments: NORMAL },
    { bars: 12, years: 3.2398, moments: NORMAL },
    { bars: 12, years: 4.991258, moments: { skew: -0.72, kurtosis: 5.78 } },
  ])("minimum track record of an annual 2 against 1, $bars bars: $years years", (example) => {
    const { bars, years, moments } = example;
    const estimate = { sharpe: 2 / Math.sqrt(bars), ...moments };
    const length = minTrackRecordLength(estimate, 1 / Math.sqrt(bars), 0.95);
    expect(length / bars).toBeCloseTo(years, 5);
  });
});

describe("published by Lo, 2002, Table 1", () => {
  // His T is our T - 1.
  test.each([
    [0.5, [0.306, 0.217, 0.177, 0.153, 0.137, 0.095, 0.067, 0.047]],
    [3, [0.677, 0.479, 0.391, 0.339, 0.303, 0.21, 0.148, 0.105]],
  ])("standard errors of a Sharpe of %d", (sharpe, row) => {
    const got = [12, 24, 36, 48, 60, 125, 250, 500].map((months) => {
      const estimate = { sharpe, observations: months + 1, ...NORMAL };
      return Number(sharpeStandardError(estimate).toFixed(3));
    });
    expect(got).toEqual(row);
  });
});

describe("what other programs' own tests have", () => {
  const estimate = (sharpe: number, observations: number, skew = 0, kurtosis = 3) => ({
    sharpe,
    observations,
    skew,
    kurtosis,
  });

  test("mlfinlab: PSR 0.95727 and track record 228.73497 of 1.14 against 1, 250 returns", () => {
    expect(Math.abs(probabilisticSharpe(estimate(1.14, 250), 1) - 0.95727)).toBeLessThan(1e-5);
    expect(minTrackRecordLength(estimate(1.14, 250), 1, 0.95)).toBeCloseTo(228.73497, 4);
  });

  test("RiskLabAI: PSR 0.99967847937 of 1.5 against 1, z 3.41 of it, 10.24 against 0, 3.20 skewed", () => {
    expect(probabilisticSharpe(estimate(1.5, 100), 1)).toBeCloseTo(0.9996784793766524, 14);
    expect(sharpeZScore(estimate(1.5, 100), 1)).toBeCloseTo(3.4127787539671264, 13);
    expect(sharpeZScore(estimate(1.5, 100), 0)).toBeCloseTo(10.238336261901377, 12);
    expect(sharpeZScore(estimate(1.2, 52, -0.3, 4), 0.5)).toBeCloseTo(3.200281749891488, 13);
  });
});

describe("sharpeVarianceTerm", () => {
  test("is 1 - skew x + (kurtosis - 1)/4 x^2, which is 1 + x^2/2 for normal returns", () => {
    expect(sharpeVarianceTerm(0.3, 0, 3)).toBeCloseTo(1 + 0.09 / 2, 15);
    expect(sharpeVarianceTerm(0.3, -1.2, 9)).toBeCloseTo(1 + 1.2 * 0.3 + 2 * 0.09, 15);
    expect(sharpeVarianceTerm(-0.3, -1.2, 9)).toBeCloseTo(1 - 1.2 * 0.3 + 2 * 0.09, 15);
  });

  test("is never negative on Pearson's bound, where it has a double root", () => {
    for (const skew of [1, 2, 10, 1000]) {
      expect(sharpeVarianceTerm(2 / skew, skew, 1 + skew * skew)).toBeGreaterThanOrEqual(0);
      expect(sharpeVarianceTerm(2 / skew, skew, 1 + skew * skew)).toBeLessThan(1e-15);
    }
  });
});

describe("minTrackRecordLength", () => {
  test("is where PSR reaches the confidence", () => {
    const estimate = { sharpe: 0.11, skew: -0.6, kurtosis: 7 };
    const observations = minTrackRecordLength(estimate, 0.02, 0.95);
    expect(probabilisticSharpe({ ...estimate, observations }, 0.02)).toBeCloseTo(0.95, 13);
  });

  test("is infinite at or below the benchmark", () => {
    expect(minTrackRecordLength({ sharpe: 0.1, ...NORMAL }, 0.1, 0.95)).toBe(Infinity);
    expect(minTrackRecordLength({ sharpe: -0.1, ...NORMAL }, 0, 0.95)).toBe(Infinity);
  });
});

describe("familyWisePValue", () => {
  test("is 1 - PSR^N, and the p-value itself for one trial", () => {
    const estimate = { ...MONTHLY, ...SKEWED };
    const psr = probabilisticSharpe(estimate, 0);
    expect(familyWisePValue(estimate, 1)).toBeCloseTo(1 - psr, 15);
    expect(familyWisePValue(estimate, 7)).toBeCloseTo(1 - psr ** 7, 14);
  });

  test("keeps its digits where PSR is 1 in float64: p = 3.69e-90, a thousand times", () => {
    // z is 20.1 exactly where the Sharpe is 0.201 / sqrt(1 - 0.201^2 / 2) and T - 1 = 10,000.
    const sharpe = 0.201 / Math.sqrt(1 - 0.201 ** 2 / 2);
    const p = familyWisePValue({ sharpe, observations: 10_001, ...NORMAL }, 1000);
    expect(relativeError(p, 3.6896808637213897e-87)).toBeLessThan(1e-12);
  });

  test("is certain for a Sharpe far below 0", () => {
    expect(familyWisePValue({ sharpe: -3, observations: 5000, ...NORMAL }, 1)).toBe(1);
    expect(familyWisePValue({ sharpe: 0, observations: 5000, ...NORMAL }, 1e9)).toBe(1);
  });
});
