import { describe, expect, test } from "vitest";
import { expectedMaximum } from "../../../quant/overfitting/deflated-sharpe.ts";
import { normalCdf } from "../../../quant/overfitting/normal-cdf.ts";
import {
  autocorrelatedVarianceTerm,
  nullMinTrackRecordLength,
  nullProbabilisticSharpe,
  sharpeTestPower,
} from "./null-sharpe.ts";
import { sharpeStandardError } from "../../../quant/overfitting/probabilistic-sharpe.ts";

/** 24 months with a mean of 3.6 % and a standard deviation of 7.9 %. */
const RETURNS = { skew: -2.448, kurtosis: 10.164, autocorrelation: 0 };
const ESTIMATE = { sharpe: 0.036 / 0.079, observations: 24 };
const against = (benchmark: number) => ({ benchmark, ...RETURNS });

describe("published by Lopez de Prado, Lipton and Zoonekynd, 2025", () => {
  test("standard deviation of the estimate, 0.329", () => {
    const { skew, kurtosis } = RETURNS;
    const ofT = { ...ESTIMATE, observations: ESTIMATE.observations + 1, skew, kurtosis };
    expect(sharpeStandardError(ofT)).toBeCloseTo(0.32859, 5);
    // It would be 0.214 if the returns were normal: from the test of the paper's own code.
    expect(sharpeStandardError({ ...ofT, skew: 0, kurtosis: 3 })).toBeCloseTo(0.214, 3);
  });

  test("PSR 0.987 against 0 and 0.939 against 0.1", () => {
    expect(nullProbabilisticSharpe(ESTIMATE, against(0))).toBeCloseTo(0.98721, 5);
    expect(nullProbabilisticSharpe(ESTIMATE, against(0.1))).toBeCloseTo(0.93915, 5);
  });

  test("minimum track records of 13.029 and 27.109 months", () => {
    expect(nullMinTrackRecordLength(ESTIMATE.sharpe, against(0), 0.95)).toBeCloseTo(13.02878, 5);
    expect(nullMinTrackRecordLength(ESTIMATE.sharpe, against(0.1), 0.95)).toBeCloseTo(27.10915, 5);
  });

  test("a chance of 0.315 to miss a true Sharpe of 0.5", () => {
    const power = sharpeTestPower({ sharpe: 0.5, observations: 24 }, against(0), 0.95);
    expect(1 - power).toBeCloseTo(0.31521, 5);
  });

  test("DSR of ten trials with a variance of 0.1: 0.416 in September 2025, 0.410 in March 2026", () => {
    const bar = Math.sqrt(0.1) * expectedMaximum(10);
    const spread = 0.5868081656390696; // of the maximum of ten normals, by scipy's quadrature
    const hypothesis = against(bar);
    const standardError = Math.sqrt(autocorrelatedVarianceTerm(bar, hypothesis) / 24);
    const excess = ESTIMATE.sharpe - bar;
    expect(normalCdf(excess / (standardError * spread))).toBeCloseTo(0.41636, 5);
    expect(normalCdf(excess / (Math.sqrt(0.1) * spread))).toBeCloseTo(0.40998, 5);
  });
});

describe("null-hypothesis statistics", () => {
  test("ignore skew and kurtosis against a Sharpe of 0", () => {
    const normal = { benchmark: 0, skew: 0, kurtosis: 3, autocorrelation: 0 };
    expect(nullProbabilisticSharpe(ESTIMATE, against(0))).toBe(
      nullProbabilisticSharpe(ESTIMATE, normal),
    );
  });

  test("need more bars where returns are autocorrelated", () => {
    const lengthAt = (autocorrelation: number) =>
      nullMinTrackRecordLength(0.2, { benchmark: 0, skew: 0, kurtosis: 3, autocorrelation }, 0.95);
    expect(lengthAt(0.2)).toBeCloseTo(lengthAt(0) * 1.5, 10);
    expect(lengthAt(-0.2)).toBeLessThan(lengthAt(0));
    const term = autocorrelatedVarianceTerm(0.3, { skew: -1, kurtosis: 6, autocorrelation: 0.5 });
    expect(term).toBeCloseTo(3 + (1.75 / 0.75) * 0.3 + (1.25 / 0.75) * 1.25 * 0.09, 13);
  });

  test("have no track record at or below the benchmark", () => {
    expect(nullMinTrackRecordLength(0.1, against(0.1), 0.95)).toBe(Infinity);
  });
});
