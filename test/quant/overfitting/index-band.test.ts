import { describe, expect, test } from "vitest";
import { luckShare, nullBand, standingOf } from "../../../quant/overfitting/index-band.ts";

/** 101 draws: value 0 .. 100, tuning half of it, shopping 50. */
const DRAWS = Array.from({ length: 101 }, (_, k) => ({ value: k, tuning: k / 2, shopping: 50 }));
const BAND = nullBand(24_311, DRAWS);

describe("nullBand", () => {
  test("is the 5 to 95 % of the draws, of the index and of its layers", () => {
    expect(BAND).toMatchObject({ month: 24_311, draws: 101 });
    expect(BAND.value).toMatchObject({ low: 5, high: 95, mean: 50 });
    expect(BAND.tuning).toMatchObject({ low: 2.5, high: 47.5, mean: 25 });
    expect(BAND.shopping).toMatchObject({ low: 50, high: 50, deviation: 0 });
    expect(BAND.value.deviation).toBeCloseTo(Math.sqrt((101 * 102) / 12), 10);
  });

  test("needs two draws", () => {
    expect(() => nullBand(1, DRAWS.slice(0, 1))).toThrow(RangeError);
  });
});

describe("standingOf", () => {
  test("reaches 1.645 standard deviations to each side and ends at 0 and 100", () => {
    const narrow = nullBand(1, [
      { value: 49, tuning: 0, shopping: 0 },
      { value: 51, tuning: 0, shopping: 0 },
    ]);
    const standing = standingOf(40, narrow);
    expect(standing.low).toBeCloseTo(40 - 1.645 * Math.SQRT2, 10);
    expect(standing.high).toBeCloseTo(40 + 1.645 * Math.SQRT2, 10);
    expect(standingOf(1, narrow).low).toBe(0);
    expect(standingOf(99, narrow).high).toBe(100);
  });

  test.each([
    [4.9, true],
    [5, false],
    [95, false],
    [95.1, true],
  ])("%d is outside the band: %s", (value, significant) => {
    expect(standingOf(value, BAND).significant).toBe(significant);
  });
});

describe("without a value", () => {
  // Where prices stand still, no set of strategies can be ranked, in a month or in its permutations.
  const nothing = { value: NaN, tuning: NaN, shopping: NaN };

  test("a month is neither significant nor not, and luck has no share", () => {
    expect(standingOf(NaN, BAND)).toEqual({ low: NaN, high: NaN, significant: null });
    expect(luckShare(NaN, DRAWS)).toBeNaN();
  });

  test("permutations count for nothing", () => {
    expect(standingOf(50, nullBand(1, [nothing, nothing])).significant).toBeNull();
    expect(luckShare(50, [nothing, nothing])).toBeNaN();
    expect(luckShare(9, [...DRAWS, nothing])).toBeCloseTo(10 / 101, 12);
  });
});

describe("luckShare", () => {
  test("is the share of draws as low", () => {
    expect(luckShare(9, DRAWS)).toBeCloseTo(10 / 101, 12);
    expect(luckShare(-1, DRAWS)).toBe(0);
  });
});
