import { describe, expect, test } from "vitest";
import type { SquareMatrix } from "../../../quant/overfitting/correlation-matrix.ts";
import { symmetricEigenvalues } from "../../../quant/overfitting/symmetric-eigenvalues.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

function matrixOf(size: number, values: readonly number[]): SquareMatrix {
  return { size, values: Float64Array.from(values) };
}

/** A matrix with these eigenvalues: their diagonal, turned by the reflections at random vectors. */
function matrixWith(eigenvalues: readonly number[], uniform: () => number): SquareMatrix {
  const size = eigenvalues.length;
  let a = eigenvalues.map((value, i) => eigenvalues.map((_, j) => (i === j ? value : 0)));
  for (let turn = 0; turn < 3; turn++) {
    const v = eigenvalues.map(() => uniform() - 0.5);
    const square = v.reduce((sum, x) => sum + x * x, 0);
    const h = v.map((x, i) => v.map((y, j) => (i === j ? 1 : 0) - (2 * x * y) / square));
    const times = (left: number[][], right: number[][]) =>
      left.map((row) => right.map((_, j) => row.reduce((sum, x, k) => sum + x * right[k]![j]!, 0)));
    a = times(times(h, a), h);
  }
  return matrixOf(
    size,
    a.flatMap((row, i) => row.map((x, j) => (x + a[j]![i]!) / 2)),
  );
}

describe("symmetricEigenvalues", () => {
  test("agrees with numpy on a matrix of three", () => {
    const got = symmetricEigenvalues(matrixOf(3, [1, 0.1, 0.7, 0.1, 1, 0.8, 0.7, 0.8, 1]));
    [-0.01470336, 0.90090068, 2.11380268].forEach((value, k) =>
      expect(got[k]).toBeCloseTo(value, 8),
    );
  });

  test("is the diagonal of a diagonal matrix, in ascending order", () => {
    expect([...symmetricEigenvalues(matrixOf(3, [3, 0, 0, 0, -1, 0, 0, 0, 2]))]).toEqual([
      -1, 2, 3,
    ]);
    expect([...symmetricEigenvalues(matrixOf(1, [5]))]).toEqual([5]);
    expect([...symmetricEigenvalues(matrixOf(0, []))]).toEqual([]);
  });

  test("knows a matrix of equal correlations: 1 - r, and once 1 + (n - 1) r", () => {
    const size = 40;
    const values = Array.from({ length: size * size }, (_, k) => (k % (size + 1) === 0 ? 1 : 0.3));
    const got = symmetricEigenvalues(matrixOf(size, values));
    expect(got[size - 1]).toBeCloseTo(1 + 39 * 0.3, 11);
    for (let k = 0; k < size - 1; k++) expect(got[k]).toBeCloseTo(0.7, 12);
  });

  test.each([
    ["random", (uniform: () => number) => uniform() - 0.5],
    ["singular", (uniform: () => number, k: number) => (k % 2 === 0 ? 0 : uniform())],
    ["graded", (uniform: () => number, k: number) => uniform() * 10 ** (-2 * k)],
  ])("knows those that a %s matrix was made with", (_, eigenvalue) => {
    const uniform = seededUniform(29);
    for (let size = 2; size < 19; size++) {
      const expected = Array.from({ length: size }, (_, k) => eigenvalue(uniform, k));
      const got = symmetricEigenvalues(matrixWith(expected, uniform));
      const largest = Math.max(...expected.map(Math.abs));
      for (const [k, value] of expected.toSorted((x, y) => x - y).entries()) {
        expect(Math.abs(got[k]! - value)).toBeLessThan(1e-13 * size * largest);
      }
    }
  });

  // The length of such a column is its first element but for rounding: their difference would have no digits. By
  // mpmath's eigsy, 50 digits.
  test.each([
    [0.1, 1e-5, [0.3882874542632201, 0.9716707214663007, 1.2195757894108221, 1.420466034859657]],
    [0.1, 1e-6, [0.3882873781345121, 0.971669691161572, 1.2195784833085592, 1.4204644473953567]],
    [0.1, 1e-7, [0.3882873705214803, 0.9716695880947355, 1.219578752694661, 1.4204642886891232]],
    [0.1, 3e-8, [0.3882873699293544, 0.9716695800781489, 1.2195787736468855, 1.4204642763456112]],
    [-0.1, 1e-5, [0.38828728508433835, 0.9716684310023804, 1.2195817757595504, 1.4204625081537308]],
    [-0.1, 1e-6, [0.38828736121662394, 0.9716694621151791, 1.2195790819434342, 1.4204640947247626]],
    [-0.1, 1e-7, [0.3882873688296915, 0.9716695651900962, 1.2195788125581486, 1.4204642534220637]],
    [-0.1, 3e-8, [0.38828736942181774, 0.9716695732067571, 1.2195787916059317, 1.4204642657654933]],
  ])(
    "keeps its digits where a column is all but reflected already: %d, %d",
    (head, rest, expected) => {
      const rows = [
        1,
        head,
        rest,
        -rest,
        head,
        1,
        0.3,
        0.2,
        rest,
        0.3,
        1,
        -0.4,
        -rest,
        0.2,
        -0.4,
        1,
      ];
      const got = symmetricEigenvalues(matrixOf(4, rows));
      for (const [k, value] of expected.entries()) {
        expect(Math.abs(got[k]! - value)).toBeLessThan(2e-15);
      }
    },
  );

  test("does not go on for ever where there are none", () => {
    expect(() => symmetricEigenvalues(matrixOf(2, [1, NaN, NaN, 1]))).toThrow(RangeError);
  });
});
