import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dominanceOf } from "../../../quant/overfitting/dominance.ts";

const of = (picks: readonly number[], all: readonly number[]) =>
  dominanceOf(Float64Array.from(picks), Float64Array.from(all));

describe("dominanceOf, by hand", () => {
  test("is of first order where every share of the picks lies higher", () => {
    // Shares at or below 1, 2, 3, 4: picks 0, 1/2, 1/2, 1; all 1/2, 1/2, 1, 1. Means 3 and 2.
    expect(of([2, 4], [1, 3])).toEqual({
      firstOrder: true,
      secondOrder: true,
      worstExcess: 0,
      meanAdvantage: 1,
    });
  });

  test("is of second order alone where the picks have the same mean and less spread", () => {
    // Shares at or below -2, -1, 1, 2: picks 0, 1/2, 1, 1; all 1/2, 1/2, 1/2, 1. Areas up to each: 0, 1/2,
    // 1/2, 0.
    const got = of([-1, 1], [-2, 2]);
    expect(got).toMatchObject({ firstOrder: false, secondOrder: true, worstExcess: 0.5 });
    expect(got.meanAdvantage).toBeCloseTo(0, 15);
    expect(of([-2, 2], [-1, 1])).toMatchObject({ firstOrder: false, secondOrder: false });
  });

  test("is neither where the picks have the higher mean but the deeper loss", () => {
    // The area up to -2 is -1/2: one pick is at -3, below all the others.
    const got = of([-3, 10], [-2, 1]);
    expect(got).toMatchObject({ firstOrder: false, secondOrder: false, worstExcess: 0.5 });
    expect(got.meanAdvantage).toBeCloseTo(4, 15);
  });

  test("holds both ways between equal samples, of whatever number", () => {
    expect(of([1, 2], [2, 1, 2, 1])).toEqual({
      firstOrder: true,
      secondOrder: true,
      worstExcess: 0,
      meanAdvantage: 0,
    });
  });

  test("leaves out what is not a number, and says nothing about an empty side", () => {
    expect(of([2, NaN, 4], [1, -Infinity, 3])).toEqual(of([2, 4], [1, 3]));
    expect(of([], [1])).toMatchObject({ firstOrder: false, secondOrder: false });
    expect(of([], [1]).worstExcess).toBeNaN();
  });

  test("is what scipy's distribution functions give on a grid", () => {
    // numpy.random.default_rng(1): 40 of N(0.1, 1) and 90 of N(0, 1.2), rounded to 2 decimals; shares by
    // scipy.stats.ecdf.
    const { picks, all, worstExcess, meanAdvantage } = SCIPY;
    const got = of(picks, all);
    expect(got.worstExcess).toBeCloseTo(worstExcess, 14);
    expect(got.meanAdvantage).toBeCloseTo(meanAdvantage, 12);
    expect(got).toMatchObject({ firstOrder: false, secondOrder: true });
  });
});

const SCIPY = {
  worstExcess: 0.08333333333333326,
  meanAdvantage: 0.21847222222222237,
  picks: [
    0.45, 0.92, 0.43, -1.2, 1.01, 0.55, -0.44, 0.68, 0.46, 0.39, 0.13, 0.65, -0.64, -0.06, -0.38,
    0.7, 0.14, -0.19, -0.68, -0.16, 0.11, -0.18, 1.39, 1.11, -2.61, -1.79, -0.07, -0.32, 0.31, 0.32,
    2.22, -1.01, -0.28, 2.14, 0.75, 0.76, -0.41, -1.55, 0.27, 0.21,
  ],
  all: [
    -1.47, -0.82, -0.09, -1.13, -0.12, 0.11, 0.04, -0.61, 0.71, 1.07, 0.39, -0.98, 0.88, -0.6, 1.05,
    -1.29, 1.1, -0.02, -1.5, -0.38, 0.06, 0.33, -1.18, -1.33, 0.24, -0.56, 0.28, 0.91, -1.98, 0.31,
    1.47, -0.36, -0.97, 0.9, 0.3, 1.08, -0.41, -1.78, -0.13, -0.53, 0.93, 0.23, -1.96, -1.43, 1.06,
    0.82, -0.77, -0.0, 0.53, 0.56, 1.05, 0.31, -0.11, -0.31, 1.27, -2.7, -0.17, 0.04, -1.71, 0.4,
    -0.78, 1.03, -0.15, 0.8, 1.46, 0.46, -1.05, -1.82, 2.1, -0.13, -0.83, 0.17, -0.23, 1.02, 0.04,
    0.02, -0.86, 0.56, -1.24, 0.8, 1.83, -1.83, -2.96, 0.74, 3.06, -1.2, -1.5, 0.71, -1.01, -0.61,
  ],
};

/** Over the values in order, one by one, as the definitions are written. */
function inOrder(picks: readonly number[], all: readonly number[]) {
  const values = [...picks, ...all].toSorted((a, b) => a - b);
  const share = (list: readonly number[], x: number) =>
    list.filter((value) => value <= x).length / list.length;
  const excess = values.map((x) => share(picks, x) - share(all, x));
  let area = 0;
  const areas = values.map((x, place) => {
    if (place > 0) area -= excess[place - 1]! * (x - values[place - 1]!);
    return area;
  });
  const range = values.at(-1)! - values[0]!;
  return {
    firstOrder: Math.max(...excess) <= 0,
    secondOrder: Math.min(...areas) >= -1e-12 * range,
    worstExcess: Math.max(0, ...excess),
  };
}

test("is what the definitions give over all values in order", () => {
  const value = fc.oneof(
    fc.integer({ min: -4, max: 4 }),
    fc.double({ min: -3, max: 3, noNaN: true }),
    fc.constant(1e6), // all others then lie in one cell of the index
  );
  const sample = (maxLength: number) => fc.array(value, { minLength: 1, maxLength });
  fc.assert(
    fc.property(sample(12), sample(60), (picks, all) => {
      const got = of(picks, all);
      expect(got).toMatchObject(inOrder(picks, all));
      const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;
      expect(got.meanAdvantage).toBeCloseTo(mean(picks) - mean(all), 6);
    }),
    { numRuns: 500 },
  );
});
