import { describe, expect, test } from "vitest";
import { clusterSizes, silhouettes } from "../../../quant/overfitting/silhouettes.ts";

/** Points on a line and their distances. */
function line(points: readonly number[]) {
  const values = points.flatMap((one) => points.map((other) => Math.abs(one - other)));
  return { size: points.length, values: Float64Array.from(values) };
}

describe("silhouettes", () => {
  test("by hand: 0, 1 and 4, 6, 8 on a line", () => {
    // For 0: a = 1, b = (4 + 6 + 8) / 3 = 6, so 5/6. For 4: a = 3, b = 3.5, so 1/7. For 6: a = 2, b = 5.5. For 8:
    // a = 3, b = 7.5.
    const got = silhouettes(line([0, 1, 4, 6, 8]), Int32Array.of(0, 0, 1, 1, 1));
    const expected = [5 / 6, 4 / 5, 1 / 7, 7 / 11, 3 / 5];
    for (const [point, value] of expected.entries()) expect(got[point]).toBeCloseTo(value, 14);
  });

  test("are below 0 of points nearer to the other cluster, as a share of the longer distance", () => {
    // Of 0: a = 10, b = (1 + 11) / 2 = 6, so -4/10. Of 10: a = 10, b = (9 + 1) / 2 = 5, so -5/10.
    const got = silhouettes(line([0, 10, 1, 11]), Int32Array.of(0, 0, 1, 1));
    for (const [point, value] of [-0.4, -0.5, -0.5, -0.4].entries())
      expect(got[point]).toBeCloseTo(value, 14);
  });

  test("are scikit-learn's silhouette_samples of three clusters, one of them of one", () => {
    const got = silhouettes(line([1, 2, 4, 7, 11, 16]), Int32Array.of(0, 0, 0, 1, 1, 2));
    for (const [point, value] of SKLEARN.entries()) expect(got[point]).toBeCloseTo(value, 14);
  });

  test("are 0 for a point alone and where all points coincide, NaN in one cluster", () => {
    expect(silhouettes(line([0, 5, 6]), Int32Array.of(0, 1, 1))[0]).toBe(0);
    expect(Array.from(silhouettes(line([3, 3, 3]), Int32Array.of(0, 1, 0)))).toEqual([0, 0, 0]);
    expect(silhouettes(line([0, 1]), Int32Array.of(0, 0))[0]).toBeNaN();
    expect(silhouettes(line([0]), Int32Array.of(0))[0], "one cluster of one").toBeNaN();
  });

  test("count the points of each cluster", () => {
    expect(Array.from(clusterSizes(Int32Array.of(2, 0, 2, 1)))).toEqual([1, 1, 2]);
    expect(clusterSizes(new Int32Array()).length).toBe(0);
  });
});

const SKLEARN = [0.75, 0.7857142857142857, 0.5, 0.1428571428571429, 0.2, 0.0];
