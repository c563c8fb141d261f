import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { percentOf, significant } from "../../api/significant-digits.ts";

const digitsOf = (value: number) =>
  Math.abs(value).toExponential().replace(/e.*$/, "").replace(".", "").length;

describe("a number of an answer", () => {
  test.each([
    [0, 0],
    [1, 1],
    [-1.5, -1.5],
    [1 / 3, 0.3333333333],
    [2 / 3, 0.6666666667],
    [-1234567.891234, -1234567.891],
    [9_999_999_999.9, 10_000_000_000],
    [12_345_678_901, 12_345_678_900],
    [1e15 + 3, 1e15],
    [0.1 + 0.2, 0.3],
    [1e-7 / 3, 3.333333333e-8],
    [1.23456789012e-30, 1.23456789e-30],
    [1.23456789012e30, 1.23456789e30],
    [5e-324, 5e-324],
    [1.797693134e308, 1.797693134e308],
  ])("%d is written %d", (value, expected) => {
    expect(significant(value)).toBe(expected);
  });

  test.each([NaN, Infinity, -Infinity, Number.MAX_VALUE])("%d is null", (value) => {
    expect(significant(value)).toBeNull();
    expect(percentOf(value)).toBeNull();
  });

  test("has at most 10 significant digits and is within half a unit of the last", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const written = significant(value);
        if (written === null) return; // exceeds float64 once rounded up
        expect(digitsOf(written)).toBeLessThanOrEqual(10);
        expect(Math.abs(written - value)).toBeLessThanOrEqual(Math.abs(value) * 5.000001e-10);
        expect(significant(written), "rounding again changes nothing").toBe(written);
      }),
      { numRuns: 20_000 },
    );
  });

  test("agrees with the decimal rounding of the platform but for ties", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), (value) => {
        const platform = Number(value.toPrecision(10));
        const unit = 10 ** (Math.floor(Math.log10(value)) - 9);
        expect(Math.abs(significant(value)! - platform)).toBeLessThanOrEqual(unit * 1.001);
      }),
      { numRuns: 20_000 },
    );
  });
});

test("a fraction is a percentage", () => {
  expect(percentOf(0.125)).toBe(12.5);
  expect(percentOf(-0.5)).toBe(-50);
});
