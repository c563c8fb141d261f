import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  rollingMax,
  rollingMaxima,
  rollingMin,
  rollingMinima,
  rowsOfExtreme,
} from "../../../quant/indicators/rolling-extreme.ts";

describe("rolling extremes", () => {
  const values = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 60 });
  const periods = fc.integer({ min: 1, max: 12 });

  test("are those of the window; on a tie, the latest row's", () => {
    fc.assert(
      fc.property(values, periods, (numbers, period) => {
        const column = Float64Array.from(numbers);
        const maxRows = rowsOfExtreme(column, period, 1);
        const minRows = rowsOfExtreme(column, period, -1);
        for (let row = 0; row < numbers.length; row++) {
          const from = row - period + 1;
          const window = numbers.slice(Math.max(from, 0), row + 1);
          const ready = from >= 0;
          expect(maxRows[row]).toBe(ready ? from + window.lastIndexOf(Math.max(...window)) : -1);
          expect(minRows[row]).toBe(ready ? from + window.lastIndexOf(Math.min(...window)) : -1);
        }
      }),
    );
  });

  test("are values of the window, whichever periods were computed before", () => {
    const asked = fc.array(periods, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(values, asked, (numbers, several) => {
        const highest = rollingMaxima(Float64Array.from(numbers));
        const lowest = rollingMinima(Float64Array.from(numbers));
        for (const period of several) {
          for (let row = 0; row < numbers.length; row++) {
            const from = row - period + 1;
            const window = numbers.slice(Math.max(from, 0), row + 1);
            expect(highest(period)[row]).toBe(from >= 0 ? Math.max(...window) : NaN);
            expect(lowest(period)[row]).toBe(from >= 0 ? Math.min(...window) : NaN);
          }
        }
      }),
    );
  });

  test("begin after the warm-up of their column, and are a copy", () => {
    const column = Float64Array.of(NaN, NaN, 3, 1, 2, 5);
    expect([...rollingMax(column, 3)]).toEqual([NaN, NaN, NaN, NaN, 3, 5]);
    expect([...rollingMin(column, 3)]).toEqual([NaN, NaN, NaN, NaN, 1, 1]);
    expect(rollingMax(column, 1)).not.toBe(column);
    expect([...rollingMax(column, 7)]).toEqual(Array.from(column, () => NaN));
  });
});
