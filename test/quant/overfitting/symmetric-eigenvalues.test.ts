import { describe, expect, test } from "vitest";
import type { SquareMatrix } from "../../../quant/overfitting/correlation-matrix.ts";
import { symmetricEigenvalues } from "../../../quant/overfitting/symmetric-eigenvalues.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

function matrixOf(rows: readonly (readonly number[])[]): SquareMatrix {
  return { size: rows.length, values: Float64Array.from(rows.flat()) };
}

/** Jacobi's method, slow and obvious: rotate every pair until nothing is left off the diagonal. */
function jacobiEigenvalues({ size, values }: SquareMatrix): number[] {
  const a = Array.from({ length: size }, (_, i) =>
    Array.from(values.slice(i * size, (i + 1) * size)),
  );
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) rotate(a, p, q);
    }
  }
  return a.map((row, i) => row[i]!).sort((x, y) => x - y);
}

function rotate(a: number[][], p: number, q: number): void {
  if (a[p]![q] === 0) return;
  const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
  const tangent = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  const sine = tangent * cosine;
  for (const row of a) {
    const [x, y] = [row[p]!, row[q]!];
    row[p] = cosine * x - sine * y;
    row[q] = sine * x + cosine * y;
  }
  for (let k = 0; k < a.length; k++) {
    const [x, y] = [a[p]![k]!, a[q]![k]!];
    a[p]![k] = cosine * x - sine * y;
    a[q]![k] = sine * x + cosine * y;
  }
}

describe("symmetricEigenvalues", () => {
  test("agrees with numpy on a matrix of three", () => {
    const got = symmetricEigenvalues(
      matrixOf([
        [1, 0.1, 0.7],
        [0.1, 1, 0.8],
        [0.7, 0.8, 1],
      ]),
    );
    [-0.01470336, 0.90090068, 2.11380268].forEach((value, k) =>
      expect(got[k]).toBeCloseTo(value, 8),
    );
  });

  test("is the diagonal of a diagonal matrix, in ascending order", () => {
    expect([
      ...symmetricEigenvalues(
        matrixOf([
          [3, 0, 0],
          [0, -1, 0],
          [0, 0, 2],
        ]),
      ),
    ]).toEqual([-1, 2, 3]);
    expect([...symmetricEigenvalues(matrixOf([[5]]))]).toEqual([5]);
    expect([...symmetricEigenvalues(matrixOf([]))]).toEqual([]);
  });

  test("knows a matrix of equal correlations: 1 - r, and once 1 + (n - 1) r", () => {
    const size = 40;
    const rows = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_, j) => (i === j ? 1 : 0.3)),
    );
    const got = symmetricEigenvalues(matrixOf(rows));
    expect(got[size - 1]).toBeCloseTo(1 + 39 * 0.3, 11);
    for (let k = 0; k < size - 1; k++) expect(got[k]).toBeCloseTo(0.7, 12);
  });

  test("agrees with Jacobi's method on random, singular and graded matrices", () => {
    const uniform = seededUniform(29);
    for (let sample = 0; sample < 40; sample++) {
      const size = 2 + (sample % 17);
      const rank = sample % 3 === 0 ? Math.max(1, Math.floor(size / 2)) : size + 3;
      const factor = Array.from({ length: size }, (_, i) =>
        Array.from({ length: rank }, () => (uniform() - 0.5) * (sample % 4 === 1 ? 10 ** -i : 1)),
      );
      const product = factor.map((a) =>
        factor.map((b) => a.reduce((sum, x, k) => sum + x * b[k]!, 0)),
      );
      const got = symmetricEigenvalues(matrixOf(product));
      const expected = jacobiEigenvalues(matrixOf(product));
      const largest = Math.max(...expected.map(Math.abs));
      got.forEach((value, k) => {
        expect(Math.abs(value - expected[k]!)).toBeLessThan(1e-13 * size * largest);
      });
    }
  });

  test.each([0.1, -0.1])(
    "keeps its digits where a column is all but reflected already, at %d",
    (head) => {
      // The length of such a column is its first element but for rounding: their difference would have no digits.
      for (const rest of [1e-5, 1e-6, 1e-7, 3e-8]) {
        const rows = [
          [1, head, rest, -rest],
          [head, 1, 0.3, 0.2],
          [rest, 0.3, 1, -0.4],
          [-rest, 0.2, -0.4, 1],
        ];
        const got = symmetricEigenvalues(matrixOf(rows));
        for (const [k, value] of jacobiEigenvalues(matrixOf(rows)).entries()) {
          expect(Math.abs(got[k]! - value), `${rest}`).toBeLessThan(2e-15);
        }
      }
    },
  );

  test("does not go on for ever where there are none", () => {
    expect(() =>
      symmetricEigenvalues(
        matrixOf([
          [1, NaN],
          [NaN, 1],
        ]),
      ),
    ).toThrow(RangeError);
  });
});
