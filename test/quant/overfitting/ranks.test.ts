import { describe, expect, test } from "vitest";
import { averageRanks, rankCorrelation } from "../../../quant/overfitting/ranks.ts";

describe("averageRanks", () => {
  test("shares the mean of their ranks among equal values", () => {
    expect([...averageRanks([3, 1, 2])]).toEqual([3, 1, 2]);
    expect([...averageRanks([5, 1, 5, 5, 0])]).toEqual([4, 2, 4, 4, 1]);
    expect([...averageRanks([7, 7])]).toEqual([1.5, 1.5]);
    expect([...averageRanks([-Infinity, 0, Infinity])]).toEqual([1, 2, 3]);
    expect([...averageRanks([])]).toEqual([]);
    expect([...averageRanks([0, 1, -0, -1])]).toEqual([2.5, 4, 2.5, 1]);
  });
});

describe("rankCorrelation", () => {
  test("is 1 for the same order and -1 for the reverse, whatever the distances", () => {
    expect(rankCorrelation([1, 2, 30], [5, 6, 6.1])).toBeCloseTo(1, 14);
    expect(rankCorrelation([1, 2, 30], [6, 5, -900])).toBeCloseTo(-1, 14);
  });

  test("agrees with scipy.stats.spearmanr, ties included", () => {
    const a = [86, 97, 99, 100, 101, 103, 106, 110, 112, 113];
    const b = [0, 20, 28, 27, 50, 29, 7, 17, 6, 12];
    expect(rankCorrelation(a, b)).toBeCloseTo(-0.17575757575757575, 14);
    expect(rankCorrelation([1, 2, 2, 3, 5, 5], [2, 1, 4, 4, 4, 6])).toBeCloseTo(
      0.750366479376867,
      14,
    );
  });

  test("leaves out pairs that lack a value", () => {
    expect(rankCorrelation([1, NaN, 2, 3], [1, 9, NaN, 2])).toBeCloseTo(1, 14);
    expect(rankCorrelation([1, NaN], [1, 2])).toBeNaN();
  });

  test("is nothing where one side does not vary", () => {
    expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeNaN();
    expect(rankCorrelation([], [])).toBeNaN();
    expect(() => rankCorrelation([1], [1, 2])).toThrow(RangeError);
  });
});
