import { expect, test } from "vitest";
import { computeIndicators } from "../../../quant/indicators/columns.ts";
import { dayOf } from "../../../quant/signals/indicator.ts";
import { scoreOf, signalOf } from "../../../quant/signals/signal.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

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
  const bars = madeUpBars({ seed: 1, days: 3 });
  const { at } = dayOf(bars, { ...computeIndicators(bars), obv: Float64Array.of(1, 2, 3) }, 2);
  expect([0, 1, 2, 3].map((daysBack) => at("obv", daysBack))).toEqual([3, 2, 1, NaN]);
  expect(at("obv")).toBe(3);
});
