import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dominanceOf } from "../../../quant/overfitting/dominance.ts";
import scipy from "./scipy-shares.json" with { type: "json" };

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
    const { picks, all, worstExcess, meanAdvantage } = scipy;
    const got = of(picks, all);
    expect(got.worstExcess).toBeCloseTo(worstExcess, 14);
    expect(got.meanAdvantage).toBeCloseTo(meanAdvantage, 12);
    expect(got).toMatchObject({ firstOrder: false, secondOrder: true });
  });
});

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
