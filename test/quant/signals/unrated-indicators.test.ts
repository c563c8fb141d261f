import { describe, expect, test } from "vitest";
import { computeIndicators, type IndicatorColumn } from "../../../quant/indicators/columns.ts";
import { dayOf, scoresOf } from "../../../quant/signals/indicator.ts";
import { UNRATED } from "../../../quant/signals/unrated-indicators.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 4, days: 60 });
const LAST = 59;
const CLOSE = BARS.close[LAST]!;

type Values = Partial<Record<IndicatorColumn, number>>;

/** The scores of the last day, with some columns' values replaced on that day and on the one before. */
function scoresWith(today: Values, yesterday: Values = {}) {
  const columns = computeIndicators(BARS);
  for (const [name, value] of Object.entries(today)) {
    columns[name as IndicatorColumn][LAST] = value;
  }
  for (const [name, value] of Object.entries(yesterday)) {
    columns[name as IndicatorColumn][LAST - 1] = value;
  }
  return scoresOf(UNRATED, dayOf(BARS, columns, LAST));
}

describe("the score of an unrated indicator", () => {
  test.each<[keyof typeof UNRATED, Values, score: number]>([
    // SuperTrend buys in its up-trend and sells in its down-trend.
    ["supertrend", { supertrendDirection: 1 }, 1],
    ["supertrend", { supertrendDirection: -1 }, -1],
    // Bollinger buys at the lower band and sells at the upper.
    ["bollinger", { bollingerLower: CLOSE, bollingerUpper: CLOSE + 1 }, 1],
    ["bollinger", { bollingerLower: CLOSE - 1, bollingerUpper: CLOSE }, -1],
    ["bollinger", { bollingerLower: CLOSE - 1, bollingerUpper: CLOSE + 1 }, 0],
    ["bollinger", { bollingerLower: CLOSE, bollingerUpper: CLOSE }, 0],
    // Keltner buys above its channel and sells below it.
    ["keltner", { keltnerLower: CLOSE - 2, keltnerUpper: CLOSE - 1 }, 1],
    ["keltner", { keltnerLower: CLOSE + 1, keltnerUpper: CLOSE + 2 }, -1],
    ["keltner", { keltnerLower: CLOSE, keltnerUpper: CLOSE }, 0],
    // The parabolic SAR buys below the close and sells above it.
    ["parabolicSar", { parabolicSar: CLOSE - 1 }, 1],
    ["parabolicSar", { parabolicSar: CLOSE + 1 }, -1],
    // Money flow buys below 20 and sells above 80.
    ["mfi", { mfi14: 19 }, 1],
    ["mfi", { mfi14: 20 }, 0],
    ["mfi", { mfi14: 80 }, 0],
    ["mfi", { mfi14: 81 }, -1],
    // The rate of change goes by its sign.
    ["roc", { roc12: 0.1 }, 1],
    ["roc", { roc12: 0 }, 0],
    ["roc", { roc12: -0.1 }, -1],
    // What only measures size is neutral, and unknown without a value.
    ["atr", { atr14: 1e6 }, 0],
    ["atr", { atr14: NaN }, NaN],
    ["realizedVolatility30d", { realizedVolatility30d: 500 }, 0],
    ["realizedVolatility30d", { realizedVolatility30d: NaN }, NaN],
    ["drawdownFromHigh", { drawdownFromHigh: -99 }, 0],
    ["drawdownFromHigh", { drawdownFromHigh: NaN }, NaN],
  ])("%s with %o scores %d", (name, today, score) => {
    expect(scoresWith(today)[name]).toBe(score);
  });

  test("Donchian compares with the channel of the day before", () => {
    const score = (lower: number, upper: number) =>
      scoresWith({}, { donchianLower: lower, donchianUpper: upper }).donchian;
    expect(score(CLOSE - 2, CLOSE - 1)).toBe(1);
    expect(score(CLOSE + 1, CLOSE + 2)).toBe(-1);
    expect(score(CLOSE, CLOSE)).toBe(0);
  });

  test("Aroon asks both lines", () => {
    const score = (up: number, down: number) => scoresWith({ aroonUp: up, aroonDown: down }).aroon;
    expect([score(71, 29), score(29, 71), score(71, 30), score(70, 20), score(100, 100)]).toEqual([
      1, -1, 0, 0, 0,
    ]);
    expect([score(30, 71), score(29, 70), score(71, 71), score(29, 29)]).toEqual([0, 0, 0, 0]);
  });

  test("on-balance volume's average is of this day and the 19 before, and no other", () => {
    const score = (now: number, before: (daysBack: number) => number) => {
      const columns = computeIndicators(BARS);
      for (let back = 1; back <= LAST; back++) columns.obv[LAST - back] = before(back);
      columns.obv[LAST] = now;
      return UNRATED.obv.score(dayOf(BARS, columns, LAST));
    };
    expect(score(7, () => 7)).toBe(0);
    expect([score(7.01, () => 7), score(6.99, () => 7)]).toEqual([1, -1]);
    expect(score(7.01, (back) => (back === 19 ? 1e6 : 7))).toBe(-1);
    expect(score(7.01, (back) => (back === 20 ? 1e6 : 7))).toBe(1);
    expect(
      score(7.01, (back) => (back > 1 && back < 19 ? 7.1 : -1)),
      "each day counts",
    ).toBe(1);
    expect(
      score(7.01, (back) => (back > 1 && back < 19 ? 8 : 6)),
      "each day counts",
    ).toBe(-1);
  });
});
