import type { IndicatorColumn } from "../indicators/columns.ts";
import { averageScore } from "./averages.ts";
import { line, lines, type Day } from "./indicator.ts";
import { exceeds, POINTS, scoreOf, type Score } from "./signal.ts";

/**
 * The oscillator half of the technical rating. Source: TradingView, Technical Ratings, the current version.
 * "Rising" and "falling" compare with the previous day, so such a score is missing on an indicator's first day.
 * Up-trend and down-trend mean a close above or below its 50-day EMA. Rounding decides no comparison.
 */
export const OSCILLATORS = {
  rsi: reversal("rsi14", 30, 70),
  macd: lines(
    { line: "macdLine", signalLine: "macdSignal", histogram: "macdHistogram" },
    ({ at, isAbove }) => sides(at("macdLine"), at("macdSignal"), isAbove),
  ),
  // Buy while both lines are below 20 and %K is above %D; sell while both are above 80 and %K is below %D.
  stochastic: lines({ k: "stochK", d: "stochD" }, ({ at }) => {
    const [k, d] = [at("stochK"), at("stochD")];
    return scoreOf({ buy: turnsUp(k, d), sell: turnsDown(k, d), needs: [k, d] });
  }),
  // The stochastic's rule, but buy only in a down-trend and sell only in an up-trend.
  stochRsi: lines({ k: "stochRsiK", d: "stochRsiD" }, (day) => {
    const [k, d, trend] = [day.at("stochRsiK"), day.at("stochRsiD"), trendOf(day)];
    const [buy, sell] = [trend < 0 && turnsUp(k, d), trend > 0 && turnsDown(k, d)];
    return scoreOf({ buy, sell, needs: [k, d, trend] });
  }),
  cci: reversal("cci20", -100, 100),
  // A strong trend (above 20) that is growing counts for the side that leads it.
  adx: lines({ adx: "adx14", plusDi: "plusDi14", minusDi: "minusDi14" }, ({ at }) => {
    const [now, before] = [at("adx14"), at("adx14", 1)];
    const [plus, minus] = [at("plusDi14"), at("minusDi14")];
    const growing = pointsAbove(now, 20) && pointsAbove(now, before);
    return scoreOf({
      buy: growing && pointsAbove(plus, minus),
      sell: growing && pointsAbove(minus, plus),
      needs: [now, before, plus, minus],
    });
  }),
  awesomeOscillator: line("awesomeOscillator", awesomeScore),
  // Buy while momentum rises, sell while it falls, whatever its sign.
  momentum: line("momentum10", (now, { at, isAbove }) => sides(now, at("momentum10", 1), isAbove)),
  williamsR: reversal("williamsR14", -80, -20),
  // Buy in an up-trend while the bears weaken, sell in a down-trend while the bulls do.
  bullBearPower: lines({ bull: "bullPower13", bear: "bearPower13" }, (day) => {
    const { at, isAbove } = day;
    const trend = trendOf(day);
    const [bull, bear] = [at("bullPower13"), at("bearPower13")];
    const [bullBefore, bearBefore] = [at("bullPower13", 1), at("bearPower13", 1)];
    return scoreOf({
      buy: trend > 0 && isAbove(0, bear) && isAbove(bear, bearBefore),
      sell: trend < 0 && isAbove(bull, 0) && isAbove(bullBefore, bull),
      needs: [trend, bull, bear, bullBefore, bearBefore],
    });
  }),
  // Buy above 70, sell below 30: here the extremes confirm a move.
  ultimateOscillator: line("ultimateOscillator", (value) =>
    scoreOf({ buy: pointsAbove(value, 70), sell: pointsAbove(30, value), needs: [value] }),
  ),
};

/** Buy below `low` and rising, sell above `high` and falling. */
function reversal(column: IndicatorColumn, low: number, high: number) {
  return line(column, (now, { at }) => {
    const before = at(column, 1);
    const buy = pointsAbove(low, now) && pointsAbove(now, before);
    const sell = pointsAbove(now, high) && pointsAbove(before, now);
    return scoreOf({ buy, sell, needs: [now, before] });
  });
}

/** Buy while `value` is above `other`, sell while it is below. */
function sides(value: number, other: number, isAbove: Day["isAbove"]): Score {
  return scoreOf({
    buy: isAbove(value, other),
    sell: isAbove(other, value),
    needs: [value, other],
  });
}

/** 1 in an up-trend, -1 in a down-trend. */
function trendOf(day: Day): Score {
  return averageScore(day.at("ema50"), day);
}

/**
 * Buy on the day it crosses above 0, or on a saucer: above 0 for two days, it fell the day before and rises
 * now. Sell is the mirror image. A move from exactly 0 counts as a crossing. As in the published script, the
 * score is there from the oscillator's second day, on which only a crossing can be seen.
 */
function awesomeScore(now: number, { at, isAbove }: Day): Score {
  const before = at("awesomeOscillator", 1);
  const twoBefore = at("awesomeOscillator", 2);
  const saucerUp = isAbove(before, 0) && isAbove(now, before) && isAbove(twoBefore, before);
  const saucerDown = isAbove(0, before) && isAbove(before, now) && isAbove(before, twoBefore);
  return scoreOf({
    buy: isAbove(now, 0) && (!isAbove(before, 0) || saucerUp),
    sell: isAbove(0, now) && (!isAbove(0, before) || saucerDown),
    needs: [now, before],
  });
}

function pointsAbove(value: number, limit: number): boolean {
  return exceeds(value, limit, POINTS);
}

/** A stochastic below 20 with %K above %D. */
function turnsUp(k: number, d: number): boolean {
  return pointsAbove(20, k) && pointsAbove(20, d) && pointsAbove(k, d);
}

/** A stochastic above 80 with %K below %D. */
function turnsDown(k: number, d: number): boolean {
  return pointsAbove(k, 80) && pointsAbove(d, 80) && pointsAbove(d, k);
}
