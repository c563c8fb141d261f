import { describe, expect, test } from "vitest";
import { adjustedClaims, claimPValue, publishedClaims } from "../../../quant/check/claims.ts";
import { inferSharpe, type SharpeInference } from "../../../quant/check/sharpe-inference.ts";
import { normalColumns } from "./panels.ts";

const ONE = { count: 1, variance: NaN };

/** An inference with round numbers: a t-ratio of 2.5 with 30 degrees of freedom. */
const INFERENCE: SharpeInference = {
  bars: 401,
  mean: 0.001,
  deviation: 0.008,
  sharpe: 0.125,
  skew: 0,
  kurtosis: 3,
  autocorrelation: 0,
  standardErrorIid: Math.sqrt((1 + 0.125 ** 2 / 2) / 400),
  standardErrorDependent: 0.05,
  standardErrorNull: 0.05,
  standardError: 0.05,
  activeBars: 31,
  losingBars: 10,
};

describe("adjustedClaims", () => {
  test("take Student's t with one degree less than there are active bars", () => {
    // scipy.stats.t.sf(2.5, 30)
    expect(claimPValue(INFERENCE)).toBeCloseTo(0.00905782453403334, 12);
    expect(adjustedClaims(INFERENCE, ONE).psr).toBeCloseTo(1 - 0.00905782453403334, 12);
  });

  test("need a record of 1 + T SE^2 (z / SR)^2 bars", () => {
    const bars = 1 + 401 * 0.05 ** 2 * (1.6448536269514722 / 0.125) ** 2;
    expect(adjustedClaims(INFERENCE, ONE).minTrackRecord).toBeCloseTo(bars, 9);
    expect(adjustedClaims({ ...INFERENCE, sharpe: -0.1 }, ONE).minTrackRecord).toBe(Infinity);
  });

  test("cut nothing off one trial, and the more the more trials there are", () => {
    const left = [1, 10, 100].map(
      (count) => adjustedClaims(INFERENCE, { ...ONE, count }).haircutSharpe,
    );
    expect(left[0]).toBeCloseTo(0.125, 12);
    expect(left[1]! < left[0]! && left[2]! < left[1]!).toBe(true);
    expect(adjustedClaims({ ...INFERENCE, sharpe: -0.1 }, ONE).haircutSharpe).toBeNaN();
  });

  test("deflate by the null error, or by the measured variance", () => {
    const { dsr, dsrMeasured, psr } = adjustedClaims(INFERENCE, { count: 10, variance: 0.05 ** 2 });
    expect(dsr).toBe(dsrMeasured);
    expect(dsr).toBeLessThan(psr);
  });
});

describe("publishedClaims", () => {
  test("take the error for independent returns and the normal", () => {
    const { psr, standardError, minTrackRecord } = publishedClaims(INFERENCE, ONE);
    expect(standardError).toBe(INFERENCE.standardErrorIid);
    // scipy.stats.norm.cdf(0.125 / sqrt((1 + 0.125**2 / 2) / 400))
    expect(psr).toBeCloseTo(0.9936180769892857, 13);
    expect(minTrackRecord).toBeCloseTo(
      1 + (1 + 0.125 ** 2 / 2) * (1.6448536269514722 / 0.125) ** 2,
      9,
    );
  });
});

describe("inferSharpe", () => {
  test("has nearly one standard error where returns are independent", () => {
    const [column] = normalColumns(6, 20_000, [1]) as [Float64Array];
    const { standardErrorIid, standardErrorDependent, standardErrorNull } = inferSharpe(column);
    expect(standardErrorDependent / standardErrorIid).toBeCloseTo(1, 1);
    expect(standardErrorNull / standardErrorIid).toBeCloseTo(1, 1);
  });

  test("allows for autocorrelation: the variance of an AR(1) mean is (1 + a) / (1 - a) as large", () => {
    const [noise] = normalColumns(6, 20_000, [0]) as [Float64Array];
    let last = 0;
    const column = noise.map((value) => (last = 0.5 * last + value));
    const { standardErrorDependent, standardErrorIid, autocorrelation } = inferSharpe(column);
    expect(autocorrelation).toBeCloseTo(0.5, 1);
    expect((standardErrorDependent / standardErrorIid) ** 2).toBeGreaterThan(2.7);
    expect((standardErrorDependent / standardErrorIid) ** 2).toBeLessThan(3.3);
  });

  test("counts active and losing bars, and takes the risk-free rate off", () => {
    const column = Float64Array.of(0.1, 0, -0.1, 0.2, 0);
    const { activeBars, losingBars, mean } = inferSharpe(column, 0.01);
    expect([activeBars, losingBars]).toEqual([3, 1]);
    expect(mean).toBeCloseTo(0.03, 14);
  });
});
