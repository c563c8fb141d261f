import { describe, expect, test } from "vitest";
import { trialsSharpeVariance } from "../../../quant/overfitting/trials-variance.ts";

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
