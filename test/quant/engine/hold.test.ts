import { expect, test } from "vitest";
import { holdReturns } from "../../../quant/engine/hold.ts";
import { totalReturn } from "../../../quant/engine/statistics.ts";
import { barsOf } from "../../support/engine-bars.ts";

const BARS = barsOf([9, 8, 12, 6], [10, 12, 6, 9]);

test("the first day counts from its open, the others from the previous close", () => {
  expect(Array.from(holdReturns(BARS, { from: 1, to: 4 }))).toEqual([0.5, -0.5, 0.5]);
  expect(totalReturn(holdReturns(BARS, { from: 1, to: 4 }), 0, 3)).toBeCloseTo(9 / 8 - 1, 15);
});

test("is empty over no days and refuses a window outside the history", () => {
  expect(holdReturns(BARS, { from: 2, to: 2 })).toHaveLength(0);
  expect(() => holdReturns(BARS, { from: 2, to: 5 })).toThrow(RangeError);
});
