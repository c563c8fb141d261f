import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { squaredDeviations } from "../../../quant/indicators/squared-deviations.ts";

/** The plain way: two passes over the window. */
function naive(window: readonly number[]): number {
  const mean = window.reduce((sum, value) => sum + value, 0) / window.length;
  return window.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

describe("squaredDeviations", () => {
  test("are those of the window, whatever came before it", () => {
    const price = fc.double({ min: 1e-3, max: 1, noNaN: true });
    const scale = fc.constantFrom(1, 1e-6, 1e9);
    const days = fc.array(fc.tuple(price, scale), { maxLength: 60 });
    fc.assert(
      fc.property(days, fc.integer({ min: 2, max: 12 }), (scaled, period) => {
        const values = scaled.map(([value, factor]) => value * factor);
        const column = squaredDeviations(Float64Array.from(values), period);
        for (let row = 0; row < values.length; row++) {
          const window = values.slice(Math.max(row - period + 1, 0), row + 1);
          const wanted = window.length < period ? NaN : naive(window);
          const miss = Math.abs(column[row]! - wanted);
          const unknown = Number.isNaN(wanted) && Number.isNaN(column[row]!);
          expect(unknown || miss <= 1e-12 * Math.max(...window) ** 2).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("of equal values are exactly 0, in every place of the blocks", () => {
    const values = Float64Array.from({ length: 40 }, (_, row) => (row < 7 ? row * 1e9 : 0.1));
    expect(Array.from(squaredDeviations(values, 5).subarray(11))).toEqual(
      Array.from({ length: 29 }, () => 0),
    );
  });

  test("keep their digits where the values are large relative to their moves", () => {
    const values = Float64Array.from({ length: 40 }, (_, row) => 2 ** 40 + (row % 2));
    for (const sum of squaredDeviations(values, 8).subarray(7)) expect(sum).toBeCloseTo(2, 14);
  });

  test("count their warm-up from the first number", () => {
    const column = squaredDeviations(Float64Array.of(NaN, NaN, 1, 3, 5), 2);
    expect([...column]).toEqual([NaN, NaN, NaN, 2, 2]);
  });
});
