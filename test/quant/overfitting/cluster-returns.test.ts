import { describe, expect, test } from "vitest";
import { clusterReturns } from "../../../quant/overfitting/cluster-returns.ts";

describe("clusterReturns", () => {
  test("by hand: variances 1 and 4 weigh 4/5 and 1/5; a trial alone is itself", () => {
    const [one, wild, alone] = [
      Float64Array.of(-1, 0, 1),
      Float64Array.of(2, 0, -2),
      Float64Array.of(0.5, 0.25, 0),
    ];
    const [both, self] = clusterReturns([one, alone, wild], Int32Array.of(0, 1, 0));
    for (const [row, value] of [-0.4, 0, 0.4].entries()) expect(both![row]).toBeCloseTo(value, 15);
    expect(self).toEqual(alone);
  });

  test("has the least variance of all weights where the members are independent", () => {
    // Orthogonal around their means, with variances 2/3 and 6.
    const columns = [Float64Array.of(-1, 0, 1, 0), Float64Array.of(0, 3, 0, -3)];
    const square = (column: Float64Array) => column.reduce((sum, value) => sum + value * value, 0);
    const least = square(clusterReturns(columns, Int32Array.of(0, 0))[0]!);
    for (const weight of [0, 0.3, 0.5, 0.8, 0.89, 0.91, 1]) {
      const other = columns[0]!.map(
        (value, row) => weight * value + (1 - weight) * columns[1]![row]!,
      );
      expect(square(other)).toBeGreaterThan(least);
    }
  });

  test("of no trials are none", () => {
    expect(clusterReturns([], new Int32Array())).toEqual([]);
  });
});
