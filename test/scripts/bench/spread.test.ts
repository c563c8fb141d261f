import { describe, expect, test } from "vitest";
import { percentile, ratioSpread, spreadOf } from "../../../scripts/bench/spread.ts";

describe("spreadOf", () => {
  test("is the middle, the least and the most of an odd number of rounds", () => {
    expect(spreadOf([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5, rounds: 3 });
  });

  test("takes the mean of the middle two of an even number", () => {
    expect(spreadOf([1, 4, 2, 100])).toEqual({ median: 3, min: 1, max: 100, rounds: 4 });
  });

  test("is NaN of nothing, never 0", () => {
    expect(spreadOf([])).toEqual({ median: NaN, min: NaN, max: NaN, rounds: 0 });
  });

  test("leaves what it was given in its order", () => {
    const rounds = [3, 1, 2];
    spreadOf(rounds);
    expect(rounds).toEqual([3, 1, 2]);
  });
});

describe("ratioSpread", () => {
  test("divides round by round, so that whatever slows a round down cancels out", () => {
    expect(ratioSpread([100, 10, 50], [200, 20, 100])).toMatchObject({ min: 0.5, max: 0.5 });
  });

  test("refuses rounds that do not belong together", () => {
    expect(() => ratioSpread([1], [1, 2])).toThrow(RangeError);
  });
});

describe("percentile", () => {
  const hundred = Float64Array.from({ length: 100 }, (_, index) => index + 1);

  test.each([
    [0.01, 1],
    [0.5, 50],
    [0.99, 99],
    [0.999, 100],
    [1, 100],
  ])("of 1 to 100 at %d is %d, by nearest rank", (share, expected) => {
    expect(percentile(hundred, share)).toBe(expected);
  });

  test("is NaN of nothing", () => {
    expect(percentile(new Float64Array(0), 0.5)).toBeNaN();
  });

  test.each([0, -1, 1.01, NaN])("refuses the share %d", (share) => {
    expect(() => percentile(hundred, share)).toThrow(RangeError);
  });
});
