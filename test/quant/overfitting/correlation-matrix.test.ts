import { describe, expect, test } from "vitest";
import {
  correlationMatrix,
  meanCorrelation,
} from "../../../quant/overfitting/correlation-matrix.ts";

const A = Float64Array.of(1, 2, 3, 5);
const B = Float64Array.of(2, 1, 4, 3);

describe("correlationMatrix", () => {
  test("holds Pearson's correlation of every pair, and 1 on the diagonal", () => {
    const { size, values } = correlationMatrix([A, B, A.map((value) => -3 * value)]);
    expect(size).toBe(3);
    const expected = [1, 0.5291502622, -1, 0.5291502622, 1, -0.5291502622, -1, -0.5291502622, 1];
    values.forEach((value, k) => expect(value).toBeCloseTo(expected[k]!, 9));
  });

  test("needs columns with variance", () => {
    expect(() => correlationMatrix([A, Float64Array.of(1, 1, 1, 1)])).toThrow(RangeError);
  });
});

describe("meanCorrelation", () => {
  test("is the mean over the pairs", () => {
    const matrix = correlationMatrix([A, B, A.map((value) => -3 * value)]);
    expect(meanCorrelation(matrix)).toBeCloseTo(-1 / 3, 12);
    expect(meanCorrelation(correlationMatrix([A]))).toBeNaN();
  });
});
