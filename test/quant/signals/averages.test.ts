import { describe, expect, test } from "vitest";
import { computeIndicators } from "../../../quant/indicators/columns.ts";
import { AVERAGES, averageScore, ICHIMOKU_DISPLACEMENT } from "../../../quant/signals/averages.ts";
import { dayOf } from "../../../quant/signals/indicator.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 4, days: 60 });
const LAST = 59;

describe("an average", () => {
  test("buys below the close, sells above it, and says nothing on it", () => {
    const close = BARS.close[LAST]!;
    const day = dayOf(BARS, computeIndicators(BARS), LAST);
    const scores = [0.99, 1, 1.01, NaN].map((part) => averageScore(part * close, day));
    expect(scores).toEqual([1, 0, -1, NaN]);
  });
});

describe("Ichimoku", () => {
  /** From the bottom of the cloud of 26 days before to today's close, or from its top. */
  const score = (lead2: number, lead1: number, base: number, conversion: number, close: number) => {
    const columns = computeIndicators(BARS);
    columns.ichimokuLead1[LAST - ICHIMOKU_DISPLACEMENT] = lead1;
    columns.ichimokuLead2[LAST - ICHIMOKU_DISPLACEMENT] = lead2;
    columns.ichimokuBase[LAST] = base;
    columns.ichimokuConversion[LAST] = conversion;
    const bars = { ...BARS, close: BARS.close.with(LAST, close) };
    return AVERAGES.ichimoku.score(dayOf(bars, columns, LAST));
  };

  test("buys while all five ascend and sells while all descend", () => {
    expect([score(1, 2, 3, 4, 5), score(5, 4, 3, 2, 1)]).toEqual([1, -1]);
  });

  test.each([
    ["cloud", score(2, 2, 3, 4, 5), score(4, 4, 3, 2, 1)],
    ["base line", score(1, 3, 3, 4, 5), score(5, 3, 3, 2, 1)],
    ["conversion line", score(1, 2, 4, 4, 5), score(5, 4, 2, 2, 1)],
    ["close", score(1, 2, 3, 5, 5), score(5, 4, 3, 1, 1)],
  ])("is neutral where its %s only meets the next", (_, ascending, descending) => {
    expect([ascending, descending]).toEqual([0, 0]);
  });
});
