import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slidingSum } from "../../../quant/indicators/sliding-sum.ts";

describe("slidingSum", () => {
  test("of whole numbers is exact for any period", () => {
    const whole = fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 80 });
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 12 }), (values, period) => {
        const sums = slidingSum(Float64Array.from(values), period);
        const naive = values.map((_, row) =>
          row < period - 1
            ? NaN
            : values.slice(row - period + 1, row + 1).reduce((sum, value) => sum + value, 0),
        );
        expect([...sums]).toEqual(naive);
      }),
    );
  });

  test("forgets a value that has left the window, however large", () => {
    expect([...slidingSum(Float64Array.of(1e300, 1, 2, 3, 4), 2)]).toEqual([NaN, 1e300, 3, 5, 7]);
  });

  test("of zeros is exactly zero after anything", () => {
    const values = Float64Array.of(0.1, 0.7, 1e-9, 0, 0, 0, 0);
    expect(Array.from(slidingSum(values, 3).subarray(5))).toEqual([0, 0]);
  });
});
