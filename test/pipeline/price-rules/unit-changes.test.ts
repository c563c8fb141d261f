import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unitChanges } from "../../../pipeline/price-rules/unit-changes.ts";
import type { Bars } from "../../../quant/bars.ts";
import { clean } from "../../support/clean-coins.ts";
import { rawRow } from "../../support/prices-file-rows.ts";

function changesOf(...closes: number[]) {
  const close = Float64Array.from(closes);
  const day = Int32Array.from(closes, (_, index) => 100 + index);
  return unitChanges({ day, close } as Bars).map(({ day, factor }) => [day - 100, factor]);
}

const five = (close: number) => Array.from({ length: 5 }, () => close);

test.each([
  [10, 10],
  [7.5, 10],
  [12.5, 10],
  [1 / 10, 0.1],
  [1 / 7.5, 0.1],
  [1 / 12.5, 0.1],
  [1000, 1000],
  [0.00000081, 1e-6],
])("a close of %d times the day before's is a change of unit", (times, factor) => {
  expect(changesOf(3, 3 * times, ...five(3 * times))).toEqual([[1, factor]]);
});

test.each([7.4, 12.6, 60, 1 / 7.4, 1 / 12.6, 1 / 20, 2, 1])("one of %d times is none", (times) => {
  expect(changesOf(3, 3 * times, ...five(3 * times))).toEqual([]);
});

test("the next five closes are within a factor of 2 of it, and there are five", () => {
  expect(changesOf(1, 10, 20, 5, 10, 10, 10)).toEqual([[1, 10]]);
  expect(changesOf(1, 10, 10, 10, 10, 10, 20.1)).toEqual([]);
  expect(changesOf(1, 10, 10, 10, 10, 10, 4.9)).toEqual([]);
  expect(changesOf(1, 10, 10, 10, 10, 10)).toEqual([]);
});

test("the way back from wrong rows is none", () => {
  expect(changesOf(...five(1), 10, ...five(1))).toEqual([]);
  expect(changesOf(...five(1), 10, 10, 10, ...five(1), 1)).toEqual([]);
  expect(changesOf(...five(1), ...five(10), 10, ...five(1), 1)).toEqual([
    [5, 10],
    [11, 0.1],
  ]);
});

test("any history that moves less than fivefold a day has none, and one if it is cut", () => {
  const moves = fc.array(fc.double({ min: 0.7, max: 1.4, noNaN: true }), { minLength: 20 });
  fc.assert(
    fc.property(moves, fc.constantFrom(1e-6, 0.001, 0.01, 10, 1000), (steps, factor) => {
      let close = 1;
      const closes = steps.map((step, index) =>
        index < 15 ? (close *= Math.min(step, 1.1)) : close,
      );
      expect(changesOf(...closes)).toEqual([]);
      const flat = closes.map((value, index) => (index < 10 ? value : closes[9]! * factor));
      expect(changesOf(...flat)).toEqual([[10, factor]]);
    }),
  );
});

test("a coin's record names them, and its prices are as they were", () => {
  const rows = Array.from({ length: 30 }, (_, index) =>
    rawRow(index + 900, index < 20 ? 100 : 100_000),
  );
  const { quality, bars } = clean(rows);
  expect(quality.unitChanges).toEqual([{ day: 920, factor: 1000 }]);
  expect(bars.close[19]! * 1000).toBe(bars.close[20]);
});
