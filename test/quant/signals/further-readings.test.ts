import { describe, expect, test } from "vitest";
import { type IndicatorColumn, type IndicatorColumns } from "../../../quant/indicators/columns.ts";
import { computeIndicators } from "../../../quant/indicators/columns.ts";
import { furtherScores, type FurtherScores } from "../../../quant/signals/further-readings.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 4, days: 60 });
const LAST = 59;
const CLOSE = BARS.close[LAST]!;

/** The scores of the last day, with some columns' values replaced on that day and on the one before. */
function scoresWith(
  today: Partial<Record<IndicatorColumn, number>>,
  yesterday: Partial<Record<IndicatorColumn, number>> = {},
): FurtherScores {
  const columns: IndicatorColumns = computeIndicators(BARS);
  for (const [name, value] of Object.entries(today)) {
    columns[name as IndicatorColumn][LAST] = value;
  }
  for (const [name, value] of Object.entries(yesterday)) {
    columns[name as IndicatorColumn][LAST - 1] = value;
  }
  return furtherScores(BARS, columns, LAST);
}

describe("furtherScores", () => {
  test("SuperTrend buys in its up-trend and sells in its down-trend", () => {
    expect(scoresWith({ supertrend_direction: 1 }).supertrend).toBe(1);
    expect(scoresWith({ supertrend_direction: -1 }).supertrend).toBe(-1);
  });

  test("Bollinger buys at the lower band and sells at the upper", () => {
    const score = (lower: number, upper: number) =>
      scoresWith({ bollinger_lower: lower, bollinger_upper: upper }).bollinger;
    expect(score(CLOSE, CLOSE + 1)).toBe(1);
    expect(score(CLOSE - 1, CLOSE)).toBe(-1);
    expect(score(CLOSE - 1, CLOSE + 1)).toBe(0);
    expect(score(CLOSE, CLOSE)).toBe(0);
  });

  test("Keltner buys above its channel and sells below it", () => {
    const score = (lower: number, upper: number) =>
      scoresWith({ keltner_lower: lower, keltner_upper: upper }).keltner;
    expect(score(CLOSE - 2, CLOSE - 1)).toBe(1);
    expect(score(CLOSE + 1, CLOSE + 2)).toBe(-1);
    expect(score(CLOSE, CLOSE)).toBe(0);
  });

  test("Donchian compares with the channel of the day before", () => {
    const score = (lower: number, upper: number) =>
      scoresWith({}, { donchian_lower: lower, donchian_upper: upper }).donchian;
    expect(score(CLOSE - 2, CLOSE - 1)).toBe(1);
    expect(score(CLOSE + 1, CLOSE + 2)).toBe(-1);
    expect(score(CLOSE, CLOSE)).toBe(0);
  });

  test("Aroon asks both lines", () => {
    const score = (up: number, down: number) =>
      scoresWith({ aroon_up: up, aroon_down: down }).aroon;
    expect([score(71, 29), score(29, 71), score(71, 30), score(70, 20), score(100, 100)]).toEqual([
      1, -1, 0, 0, 0,
    ]);
    expect([score(30, 71), score(29, 70), score(71, 71), score(29, 29)]).toEqual([0, 0, 0, 0]);
  });

  test("the parabolic SAR buys below the close and sells above it", () => {
    expect(scoresWith({ parabolic_sar: CLOSE - 1 }).parabolicSar).toBe(1);
    expect(scoresWith({ parabolic_sar: CLOSE + 1 }).parabolicSar).toBe(-1);
  });

  test("money flow buys below 20 and sells above 80", () => {
    const score = (value: number) => scoresWith({ mfi_14: value }).mfi;
    expect([score(19), score(20), score(80), score(81)]).toEqual([1, 0, 0, -1]);
  });

  test("on-balance volume is held against its own 20-day average", () => {
    expect(scoresWith({ obv: 1e9 }).obv).toBe(1);
    expect(scoresWith({ obv: -1e9 }).obv).toBe(-1);
  });

  test("on-balance volume's average is of this day and the 19 before, and no other", () => {
    const score = (now: number, before: (daysBack: number) => number) => {
      const columns = computeIndicators(BARS);
      for (let back = 1; back <= LAST; back++) columns.obv[LAST - back] = before(back);
      columns.obv[LAST] = now;
      return furtherScores(BARS, columns, LAST).obv;
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

  test("what has no value today has no score", () => {
    const silent = { atr_14: NaN, realized_volatility_30d_pct: NaN, drawdown_from_high_pct: NaN };
    const { atr, realized_volatility_30d: volatility, drawdownFromHigh } = scoresWith(silent);
    expect([atr, volatility, drawdownFromHigh]).toEqual([NaN, NaN, NaN]);
  });

  test("rate of change goes by its sign", () => {
    const score = (value: number) => scoresWith({ roc_12: value }).roc;
    expect([score(0.1), score(0), score(-0.1)]).toEqual([1, 0, -1]);
  });

  test("what only measures size is neutral", () => {
    const {
      atr,
      realized_volatility_30d: volatility,
      drawdownFromHigh,
    } = scoresWith({
      atr_14: 1e6,
      realized_volatility_30d_pct: 500,
      drawdown_from_high_pct: -99,
    });
    expect([atr, volatility, drawdownFromHigh]).toEqual([0, 0, 0]);
  });
});
