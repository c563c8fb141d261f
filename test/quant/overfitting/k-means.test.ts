import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../quant/overfitting/seeded-random.ts";
import { kMeans, numberedOn } from "../../../quant/overfitting/k-means.ts";

/** Squared distances between points of a plane. */
function squares(points: readonly (readonly [number, number])[]) {
  const values = points.flatMap(([x, y]) => points.map(([u, v]) => (x - u) ** 2 + (y - v) ** 2));
  return { size: points.length, values: Float64Array.from(values) };
}

const TWO_PAIRS = squares([
  [0, 0],
  [10, 10],
  [0, 1],
  [10, 11],
]);

describe("kMeans", () => {
  test("parts two pairs, from any start", () => {
    for (let stream = 0; stream < 20; stream++) {
      const labels = kMeans(TWO_PAIRS, 2, seededRandom(1, stream));
      expect(Array.from(numberedOn(labels))).toEqual([0, 1, 0, 1]);
    }
  });

  test("ends where every point is nearest to the centre of its own cluster", () => {
    const random = seededRandom(2, 0);
    const points = Array.from({ length: 60 }, () => [random(), random()] as const);
    for (const k of [2, 5, 11]) {
      const labels = kMeans(squares(points), k, random);
      const centres = Array.from({ length: Math.max(...labels) + 1 }, (_, cluster) => {
        const own = points.filter((_point, index) => labels[index] === cluster);
        return [0, 1].map((axis) => own.reduce((sum, point) => sum + point[axis]!, 0) / own.length);
      });
      for (const [index, [x, y]] of points.entries()) {
        const away = centres.map(([u, v]) => (x - u!) ** 2 + (y - v!) ** 2);
        expect(away.indexOf(Math.min(...away))).toBe(labels[index]);
      }
    }
  });

  test("has no more clusters than points that differ", () => {
    const twice = squares([
      [1, 1],
      [2, 2],
      [1, 1],
    ]);
    expect(Array.from(numberedOn(kMeans(twice, 3, seededRandom(3, 0))))).toEqual([0, 1, 0]);
  });

  test("a point between two centres belongs to the cluster that was begun first", () => {
    const drawing = (...numbers: number[]) => {
      const left = numbers.values();
      return () => left.next().value ?? 0.99; // 0.99 is the farthest point of each of these
    };
    const onLine = (...points: number[]) => squares(points.map((x) => [x, 0] as const));
    // Begun at 0, then at 2: 1 is as far from either.
    expect(Array.from(kMeans(onLine(0, 1, 2), 2, drawing(0)))).toEqual([0, 0, 1]);
    // Begun at 2, then at 3; the centre of 0 and 2 is 1, from which 2 is as far as from 3.
    expect(Array.from(kMeans(onLine(0, 2, 3), 2, drawing(0.5)))).toEqual([0, 0, 1]);
  });
});
