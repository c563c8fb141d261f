import { expect, test } from "vitest";
import { scoreOf, signalOf, valueBack } from "../../../quant/signals/signal.ts";

test("a score is a word, or none without enough history", () => {
  expect([1, 0, -1, NaN].map(signalOf)).toEqual(["buy", "neutral", "sell", null]);
});

test("a rule scores 1 or -1, neither or both 0, and nothing while a value is missing", () => {
  const score = (buy: boolean, sell: boolean, ...needs: number[]) => scoreOf({ buy, sell, needs });
  expect([score(true, false, 1), score(false, true, 1)]).toEqual([1, -1]);
  expect([score(false, false, 1), score(true, true, 1)]).toEqual([0, 0]);
  expect(score(true, false, 1, NaN)).toBeNaN();
});

test("a value back in a column is NaN before its first row", () => {
  const column = Float64Array.of(1, 2, 3);
  expect([0, 1, 2, 3].map((daysBack) => valueBack(column, 2, daysBack))).toEqual([3, 2, 1, NaN]);
});
