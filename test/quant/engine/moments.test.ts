import { assert, constantFrom, double, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { DAYS_PER_YEAR } from "../../../quant/calendar.ts";
import { returnStatistics } from "../../../quant/engine/statistics.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

const RETURNS = Float64Array.of(0.01, -0.02, 0.03, 0.005, -0.011, 0.07, -0.04);

/** The moments that the Sharpe ratio statistics need, with a daily Sharpe. */
function momentsOf(returns: Float64Array) {
  const { days, sharpe, skew, kurtosis } = returnStatistics(returns);
  return { observations: days, sharpe: sharpe / Math.sqrt(DAYS_PER_YEAR), skew, kurtosis };
}

describe("the moments of returns", () => {
  test("agree with scipy: ddof 1 for the Sharpe, biased skew, kurtosis that is not the excess", () => {
    const moments = momentsOf(RETURNS);
    expect(moments.observations).toBe(7);
    expect(moments.sharpe).toBeCloseTo(0.17467699919429214, 14);
    expect(moments.skew).toBeCloseTo(0.5777515934571748, 13);
    expect(moments.kurtosis).toBeCloseTo(2.5456787700548458, 13);
  });

  test("of two values are no skew and the least kurtosis there is", () => {
    const moments = momentsOf(Float64Array.of(0.02, -0.01));
    expect(moments.skew).toBeCloseTo(0, 12);
    expect(moments.kurtosis).toBeCloseTo(1, 12);
  });

  test.each([[[]], [[0.1]], [[0, 0, 0]], [[0.1, 0.1, 0.1]]])("are none for %j", (returns) => {
    const none = { observations: returns.length, sharpe: NaN, skew: NaN, kurtosis: NaN };
    expect(momentsOf(Float64Array.from(returns))).toEqual(none);
  });

  test("depend neither on the order nor on the scale of the returns", () => {
    const uniform = seededUniform(11);
    const returns = Float64Array.from({ length: 300 }, () => uniform() - 0.45);
    const expected = momentsOf(returns);
    const reordered = [returns.toReversed(), returns.toSorted()];
    assert(
      property(
        double({ min: 1e-9, max: 1e9, noNaN: true }),
        constantFrom(...reordered),
        (scale, order) => {
          const got = momentsOf(order.map((value) => value * scale));
          expect(got.sharpe).toBeCloseTo(expected.sharpe, 12);
          expect(got.skew).toBeCloseTo(expected.skew, 11);
          expect(got.kurtosis).toBeCloseTo(expected.kurtosis, 11);
        },
      ),
    );
  });

  test("have a kurtosis never below Pearson's bound", () => {
    const uniform = seededUniform(3);
    for (let sample = 0; sample < 200; sample++) {
      const length = 2 + Math.floor(uniform() * 6);
      const moments = momentsOf(Float64Array.from({ length }, () => uniform() ** 4 - 0.1));
      expect(moments.kurtosis).toBeGreaterThan((1 + moments.skew ** 2) * (1 - 1e-12));
    }
  });
});
