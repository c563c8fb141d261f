import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnOf, mean, median, quantile, variance } from "../../quant/sample-statistics.ts";

test("mean and variance are of the whole sample", () => {
  // numpy.mean and numpy.var(ddof=1) of [1, 2, 6]
  expect(mean([1, 2, 6])).toBe(3);
  expect(variance([1, 2, 6])).toBe(7);
  expect(variance([1, 3])).toBe(2);
});

test("a column has one number of each item, in their order", () => {
  expect(columnOf(["abc", "d", ""], (text) => text.length)).toEqual(Float64Array.of(3, 1, 0));
});

describe("quantile", () => {
  test("is linear between order statistics, as numpy's default", () => {
    // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], p)
    const values = [3, 1, 4, 1, 5, 9, 2, 6];
    expect(quantile(values, 0.05)).toBeCloseTo(1, 12);
    expect(quantile(values, 0.25)).toBeCloseTo(1.75, 12);
    expect(quantile(values, 0.5)).toBeCloseTo(3.5, 12);
    expect(quantile(values, 0.95)).toBeCloseTo(7.95, 12);
    expect(quantile(values, 1)).toBe(9);
  });

  test("takes all of a list as long as the dataset's, and no more of a shorter one after it", () => {
    const values = Float64Array.from({ length: 11_440 }, (_, index) => (index * 7919) % 11_440);
    expect(median(values)).toBe(5719.5); // every whole number below 11,440 once
    expect(quantile(values, 1)).toBe(11_439);
    expect(median([1, 2, 4])).toBe(2);
  });

  test("is what sorting the sample gives", () => {
    const few = fc.float64Array({ minLength: 1, noNaN: true, noDefaultInfinity: true });
    const many = fc.float64Array({ minLength: 700, maxLength: 900, noNaN: true, min: -4, max: 4 });
    fc.assert(
      fc.property(fc.oneof(few, many), fc.double({ min: 0, max: 1, noNaN: true }), (values, p) => {
        const sorted = values.toSorted();
        const position = (values.length - 1) * p;
        const [lower, upper] = [Math.floor(position), Math.ceil(position)].map((at) => sorted[at]!);
        const expected = lower! + (position - Math.floor(position)) * (upper! - lower!);
        expect(quantile(values, p) + 0).toBe(expected + 0); // -0 and 0 are one number
      }),
    );
  });

  test("leaves NaN out and does not change its input", () => {
    const values = [NaN, 3, 1, NaN, 2];
    expect(median(values)).toBe(2);
    expect(mean(values)).toBe(2);
    expect(variance(values)).toBe(1);
    expect(values).toEqual([NaN, 3, 1, NaN, 2]);
  });

  test("has no value of nothing", () => {
    expect(quantile([], 0.5)).toBeNaN();
    expect(mean([])).toBeNaN();
    expect(variance([1])).toBeNaN();
    expect(median([NaN])).toBeNaN();
  });
});
