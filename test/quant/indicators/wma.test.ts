import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wma } from "../../../quant/indicators/wma.ts";

describe("wma", () => {
  test("weighs by age as long as one value of the window is another", () => {
    const averages = wma(Float64Array.of(1, 2, 2, 2, 2), 4);
    expect([...averages]).toEqual([NaN, NaN, NaN, (1 + 2 * 2 + 3 * 2 + 4 * 2) / 10, 2]);
  });

  test("is the weighted mean of its window, however far prices fall", () => {
    const prices = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(prices, fc.integer({ min: 1, max: 9 }), (values, period) => {
        const column = wma(Float64Array.from(values), period);
        for (let row = period - 1; row < values.length; row++) {
          const window = values.slice(row - period + 1, row + 1);
          const weighted = window.reduce((sum, value, index) => sum + (index + 1) * value, 0);
          const wanted = weighted / ((period * (period + 1)) / 2);
          // A sum that was restarted no longer has errors from more than two windows back.
          const largest = Math.max(...values.slice(Math.max(0, row - 2 * period), row + 1));
          expect(Math.abs(column[row]! - wanted)).toBeLessThan(1e-13 * largest);
        }
      }),
    );
  });
});
