import { describe, expect, test } from "vitest";
import { seededRandom, xoshiro128 } from "../../../quant/overfitting/seeded-random.ts";

describe("xoshiro128", () => {
  test("gives what its authors' xoshiro128starstar.c gives from the state 1, 2, 3, 4", () => {
    // The reference vector in the tests of Rust's rand_xoshiro.
    const random = xoshiro128([1, 2, 3, 4]);
    expect(Array.from({ length: 10 }, () => random() * 2 ** 32)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597,
      4258142804,
    ]);
  });
});

describe("seededRandom", () => {
  test("is uniform: mean, variance and neighbours of 200,000 numbers", () => {
    const random = seededRandom(24_311, 17);
    const values = Float64Array.from({ length: 200_000 }, random);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = values.reduce((sum, value) => sum + (value - 0.5) ** 2, 0) / values.length;
    const serial =
      values.reduce(
        (sum, value, row) => sum + (value - 0.5) * ((values[row - 1] ?? 0.5) - 0.5),
        0,
      ) / values.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 12 / values.length));
    expect(Math.abs(square - 1 / 12)).toBeLessThan(4 * Math.sqrt(1 / 180 / values.length));
    expect(Math.abs(serial)).toBeLessThan((4 * (1 / 12)) / Math.sqrt(values.length));
  });

  test("neighbouring streams have nothing in common", () => {
    const first = Array.from({ length: 1000 }, (_, stream) => seededRandom(1, stream)());
    expect(new Set(first).size).toBe(1000);
    const mean = first.reduce((sum, value) => sum + value, 0) / 1000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 12 / 1000));
  });
});
