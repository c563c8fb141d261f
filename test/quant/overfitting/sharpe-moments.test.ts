import { assert, constantFrom, double, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { sharpeMoments, trialsSharpeVariance } from "../../../quant/overfitting/sharpe-moments.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

const RETURNS = [0.01, -0.02, 0.03, 0.005, -0.011, 0.07, -0.04];

describe("sharpeMoments", () => {
  test("agrees with scipy: ddof 1 for the Sharpe, biased skew, kurtosis that is no excess", () => {
    const moments = sharpeMoments(RETURNS);
    expect(moments.observations).toBe(7);
    expect(moments.sharpe).toBeCloseTo(0.17467699919429214, 14);
    expect(moments.skew).toBeCloseTo(0.5777515934571748, 13);
    expect(moments.kurtosis).toBeCloseTo(2.5456787700548458, 13);
  });

  test("two values have no skew and the least kurtosis there is", () => {
    const moments = sharpeMoments([0.02, -0.01]);
    expect(moments.skew).toBeCloseTo(0, 12);
    expect(moments.kurtosis).toBeCloseTo(1, 12);
  });

  test.each([[[]], [[0.1]], [[0, 0, 0]], [[0.1, 0.1, 0.1]]])("has none for %j", (returns) => {
    const none = { observations: returns.length, sharpe: NaN, skew: NaN, kurtosis: NaN };
    expect(sharpeMoments(returns)).toEqual(none);
  });

  test("neither the order nor the scale of the returns matters", () => {
    const uniform = seededUniform(11);
    const returns = Array.from({ length: 300 }, () => uniform() - 0.45);
    const expected = sharpeMoments(returns);
    const reordered = [returns.toReversed(), returns.toSorted((a, b) => a - b)];
    assert(
      property(
        double({ min: 1e-12, max: 1e12, noNaN: true }),
        constantFrom(...reordered),
        (scale, order) => {
          const got = sharpeMoments(order.map((value) => value * scale));
          expect(got.sharpe).toBeCloseTo(expected.sharpe, 12);
          expect(got.skew).toBeCloseTo(expected.skew, 11);
          expect(got.kurtosis).toBeCloseTo(expected.kurtosis, 11);
        },
      ),
      { seed: 5 },
    );
  });

  test("the kurtosis is never below Pearson's bound", () => {
    const uniform = seededUniform(3);
    for (let sample = 0; sample < 200; sample++) {
      const length = 2 + Math.floor(uniform() * 6);
      const moments = sharpeMoments(Array.from({ length }, () => uniform() ** 4 - 0.1));
      expect(moments.kurtosis).toBeGreaterThan((1 + moments.skew ** 2) * (1 - 1e-12));
    }
  });
});

describe("trialsSharpeVariance", () => {
  test("is the sample variance of the trials that have a Sharpe", () => {
    expect(trialsSharpeVariance([1, 2, NaN, 4])).toBeCloseTo(7 / 3, 14);
    expect(trialsSharpeVariance(Float64Array.of(0.5, 0.5))).toBe(0);
  });

  test("needs two of them", () => {
    expect(trialsSharpeVariance([1, NaN])).toBeNaN();
    expect(trialsSharpeVariance([])).toBeNaN();
  });
});
