import { describe, expect, test } from "vitest";
import type { SquareMatrix } from "../../../quant/overfitting/correlation-matrix.ts";
import {
  correlationMatrix,
  meanCorrelation,
} from "../../../quant/overfitting/correlation-matrix.ts";
import { effectiveRank, impliedTrials } from "../../../quant/overfitting/effective-trials.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

function equalCorrelations(size: number, rho: number): SquareMatrix {
  const values = Float64Array.from({ length: size * size }, (_, k) =>
    Math.floor(k / size) === k % size ? 1 : rho,
  );
  return { size, values };
}

describe("impliedTrials and effectiveRank", () => {
  test("are all trials where they are independent, and one where they are the same", () => {
    for (const size of [1, 2, 13]) {
      expect(impliedTrials(size, 0)).toBe(size);
      expect(effectiveRank(equalCorrelations(size, 0))).toBeCloseTo(size, 12);
      expect(impliedTrials(size, 1)).toBe(1);
      expect(effectiveRank(equalCorrelations(size, 1))).toBeCloseTo(1, 10);
    }
  });

  test("copies are never worth less than one, although rounding puts their correlation above 1", () => {
    let rounded = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const uniform = seededUniform(seed);
      const column = Float64Array.from({ length: 50 }, () => uniform() - 0.5);
      const matrix = correlationMatrix(Array.from({ length: 13 }, () => column));
      if (matrix.values[1]! > 1) rounded++;
      expect(impliedTrials(13, meanCorrelation(matrix))).toBeGreaterThanOrEqual(1);
      expect(effectiveRank(matrix)).toBeGreaterThanOrEqual(1);
    }
    expect(rounded).toBeGreaterThan(0);
  });

  test("by mean correlation: 0.5 of 100 is 50.5", () => {
    expect(impliedTrials(100, 0.5)).toBe(50.5);
  });

  test("by entropy: the examples of the 2025 paper's code, 2 within 0.02 and 1.84 within 0.01", () => {
    const three = Float64Array.of(1, 0.1, 0.7, 0.1, 1, 0.8, 0.7, 0.8, 1);
    expect(Math.abs(effectiveRank({ size: 3, values: three }) - 1.84)).toBeLessThan(0.01);
    expect(Math.abs(effectiveRank(equalCorrelations(2, 0.1)) - 2)).toBeLessThan(0.02);
  });

  test("one trial is one, although it has no correlation, and none are none", () => {
    expect([impliedTrials(1, NaN), impliedTrials(0, NaN)]).toEqual([1, 0]);
  });
});
