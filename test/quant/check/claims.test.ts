import { describe, expect, test } from "vitest";
import {
  adjustedClaims,
  claimPValue,
  judgedPValue,
  publishedClaims,
} from "../../../quant/check/claims.ts";
import { inferSharpe, type SharpeInference } from "../../../quant/check/sharpe-inference.ts";
import { A, series } from "../live/series.ts";
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
  standardErrorNull: 0.05,
  errors: [{ error: 0.05, freedom: 30 }],
  standardError: 0.05,
  freedom: 30,
  normalError: 0.05,
  activeBars: 31,
  losingBars: 10,
  activeSkew: 0,
};

describe("adjustedClaims", () => {
  test("take Student's t with one degree less than there are active bars", () => {
    // scipy.stats.t.sf(2.5, 30)
    expect(claimPValue(INFERENCE)).toBeCloseTo(0.00905782453403334, 12);
    expect(adjustedClaims(INFERENCE, ONE).psr).toBeCloseTo(1 - 0.00905782453403334, 12);
  });

  test("need a record of 1 + T SE^2 (t / SR)^2 bars", () => {
    // scipy.stats.t.isf(0.05, 30)
    const bars = 1 + 401 * 0.05 ** 2 * (1.6972608865939838 / 0.125) ** 2;
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
    const { standardErrorIid, errors } = inferSharpe(column);
    for (const { error } of errors) expect(error / standardErrorIid).toBeCloseTo(1, 1);
  });

  test("allows for autocorrelation: the variance of an AR(1) mean is (1 + a) / (1 - a) as large", () => {
    const [noise] = normalColumns(6, 20_000, [0]) as [Float64Array];
    let last = 0;
    const column = noise.map((value) => (last = 0.5 * last + value));
    const { standardError, standardErrorIid, autocorrelation } = inferSharpe(column);
    expect(autocorrelation).toBeCloseTo(0.5, 1);
    expect((standardError / standardErrorIid) ** 2).toBeGreaterThan(2.7);
    expect((standardError / standardErrorIid) ** 2).toBeLessThan(3.3);
  });

  test("counts active and losing bars, and takes the risk-free rate off", () => {
    const column = Float64Array.of(0.1, 0, -0.1, 0.2, 0);
    const { activeBars, losingBars, mean } = inferSharpe(column, 0.01);
    expect([activeBars, losingBars]).toEqual([3, 1]);
    expect(mean).toBeCloseTo(0.03, 14);
  });
});

describe("the vectors of one series", () => {
  const means = (of: Float64Array, span: number) =>
    of.slice(span - 1).map((_, row) => of.subarray(row, row + span).reduce((a, b) => a + b) / span);

  test.each([
    ["independent", A, 0.03608842891, 335.1210306, 0.03644318541, 417.8758455, 0.00001339296608],
    [
      "means of 5",
      means(A, 5),
      0.07127865344,
      19.54912695,
      0.07535447995,
      18.41599916,
      0.00007603777094,
    ],
    [
      "means of 20",
      means(series(7, 1000, 0.002, 0.03), 20),
      0.111657561,
      9.011898941,
      NaN,
      NaN,
      0.002372152324,
    ],
  ] as const)("%s", (_, of, psi, nuOfPsi, z, nuOfZ, pValue) => {
    const found = inferSharpe(of);
    const [ofPsi, ofZ] = found.errors.slice(2);
    const near = (got: number, wanted: number) => expect(got / wanted).toBeCloseTo(1, 9);
    near(ofPsi!.error, psi);
    near(ofPsi!.freedom, nuOfPsi);
    if (!Number.isNaN(z)) near(ofZ!.error, z);
    if (!Number.isNaN(z)) near(ofZ!.freedom, nuOfZ);
    near(claimPValue(found), pValue);
    expect(found.normalError).toBeCloseTo(normalErrorOf(found), 12);
  });

  function normalErrorOf({ errors, bars, skew, kurtosis, sharpe }: SharpeInference): number {
    const iid = Math.sqrt((1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2) / (bars - 1));
    const wide = errors
      .slice(2)
      .map(({ error, freedom }) => error * (1 + (1.645 ** 2 + 1) / (4 * freedom)));
    return Math.max(iid, 1 / Math.sqrt(bars - 1), ...wide);
  }
});

describe("judgedPValue", () => {
  const at = (sharpe: number, more: Partial<SharpeInference> = {}) =>
    judgedPValue({ ...INFERENCE, sharpe, ...more });

  test("is p exp(g z^3 / (3 sqrt(k))), with a skew of -1 at most", () => {
    const p = 0.00905782453403334;
    const z = 2.3632458158271246; // scipy.stats.norm.isf(p)
    const by = (g: number) => p * Math.exp((g * z ** 3) / (3 * Math.sqrt(31)));
    expect(at(0.125)).toBeCloseTo(by(1), 7);
    expect(at(0.125, { activeSkew: 3 })).toBeCloseTo(by(1), 7);
    expect(at(0.125, { activeSkew: -2 })).toBeCloseTo(by(2), 7);
    expect(at(-0.1)).toBe(claimPValue({ ...INFERENCE, sharpe: -0.1 }));
  });

  test("never rises with the Sharpe ratio", () => {
    for (const activeSkew of [0, -2, -6]) {
      const values = Array.from({ length: 200 }, (_, step) => at(step / 50, { activeSkew }));
      expect(values).toEqual(values.toSorted((a, b) => b - a));
      expect(Math.max(...values)).toBeLessThanOrEqual(1);
    }
  });
});
