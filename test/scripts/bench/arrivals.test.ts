import { describe, expect, test } from "vitest";
import { randomStream } from "../../../pipeline/sources/random.ts";
import { poissonArrivals } from "../../../scripts/bench/arrivals.ts";

function arrivals(perSecond: number, seconds: number): Float64Array {
  const stream = randomStream("arrivals");
  return poissonArrivals(perSecond, seconds, () => stream.uniform());
}

describe("poissonArrivals", () => {
  const due = arrivals(1_000, 20);

  test("ascends and stays within the time", () => {
    expect(due[0]).toBeGreaterThan(0);
    expect(due.at(-1)).toBeLessThan(20_000);
    expect(due.every((at, index) => index === 0 || at >= due[index - 1]!)).toBe(true);
  });

  test("has the rate, within four standard deviations of a count", () => {
    expect(Math.abs(due.length - 20_000)).toBeLessThan(4 * Math.sqrt(20_000));
  });

  test("has gaps as far apart as exponential ones: their standard deviation is their mean", () => {
    const gaps = Array.from(due.subarray(1), (at, index) => at - due[index]!);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const squares = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0);
    expect(Math.sqrt(squares / gaps.length) / mean).toBeCloseTo(1, 1);
  });

  test("is the same again for the same draws", () => {
    expect(arrivals(1_000, 20)).toEqual(due);
  });

  test.each([
    [0, 1],
    [1, 0],
    [NaN, 1],
  ])("refuses %d a second for %d s", (perSecond, seconds) => {
    expect(() => poissonArrivals(perSecond, seconds, () => 0.5)).toThrow(RangeError);
  });
});
