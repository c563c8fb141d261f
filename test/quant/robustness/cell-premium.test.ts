import { describe, expect, test } from "vitest";
import { NO_PREMIUM, pickOf, premiumOf } from "../../../quant/robustness/cell-premium.ts";

const SHARPES = { inSample: [1, 3, NaN, 3, 2], outOfSample: [0.5, 0.25, 9, 1, NaN] };

describe("the premium of a cell", () => {
  test("is the pick less the mean of the runs that could be picked, in either period", () => {
    const pick = pickOf(SHARPES.inSample, SHARPES.inSample);
    expect(pick, "the first of equal bests").toBe(1);
    const { inSample, outOfSample } = premiumOf(pick, SHARPES);
    expect(inSample).toBeCloseTo(3 - 9 / 4, 12);
    expect(outOfSample).toBeCloseTo(0.25 - 1.75 / 3, 12);
  });

  test("does not exist without a pick, or where the pick did not move afterwards", () => {
    expect(pickOf([NaN, NaN], [NaN, NaN])).toBe(-1);
    expect(premiumOf(-1, SHARPES)).toBe(NO_PREMIUM);
    expect(premiumOf(4, SHARPES)).toBe(NO_PREMIUM);
  });

  test("picks by any score, but no run that did not move in-sample", () => {
    expect(pickOf([1, 2, 7, 3, 4], SHARPES.inSample)).toBe(4);
    expect(pickOf([NaN, NaN, 7, 1, NaN], SHARPES.inSample)).toBe(3);
  });
});
