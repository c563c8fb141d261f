import type { IndicatorColumns } from "../indicators/columns.ts";
import { averageScore } from "./average-scores.ts";
import { exceeds, POINTS, scoreOf, valueBack, type Score } from "./signal.ts";

/** Scores of the oscillator half of the technical rating. */
export interface OscillatorScores {
  readonly rsi: Score;
  readonly stochastic: Score;
  readonly cci: Score;
  readonly adx: Score;
  readonly awesomeOscillator: Score;
  readonly momentum: Score;
  readonly macd: Score;
  readonly stochRsi: Score;
  readonly williamsR: Score;
  readonly bullBearPower: Score;
  readonly ultimateOscillator: Score;
}

/**
 * The oscillator half on a row, by the rules of the current TradingView Technical Ratings. "Rising" and
 * "falling" compare with the previous day; a score that needs it is missing on an indicator's first day.
 * Up-trend and down-trend mean a close above or below its 50-day EMA. Rounding decides no comparison.
 */
export function oscillatorScores(
  columns: IndicatorColumns,
  row: number,
  close: number,
): OscillatorScores {
  const trend = averageScore(columns.ema50[row]!, close);
  return {
    rsi: reversalScore(columns.rsi14, row, { low: 30, high: 70 }),
    stochastic: stochasticScore(columns.stochK[row]!, columns.stochD[row]!),
    cci: reversalScore(columns.cci20, row, { low: -100, high: 100 }),
    adx: adxScore(columns, row),
    awesomeOscillator: awesomeScore(columns.awesomeOscillator, row, close),
    momentum: momentumScore(columns.momentum10, row, close),
    macd: macdScore(columns.macdLine[row]!, columns.macdSignal[row]!, close),
    stochRsi: stochRsiScore(columns.stochRsiK[row]!, columns.stochRsiD[row]!, trend),
    williamsR: reversalScore(columns.williamsR14, row, { low: -80, high: -20 }),
    bullBearPower: powerScore(columns, row, { close, trend }),
    ultimateOscillator: ultimateScore(columns.ultimateOscillator[row]!),
  };
}

/** Buy below `low` and rising, sell above `high` and falling. */
function reversalScore(
  column: Float64Array,
  row: number,
  { low, high }: { low: number; high: number },
): Score {
  const now = column[row]!;
  const before = valueBack(column, row, 1);
  const buy = pointsAbove(low, now) && pointsAbove(now, before);
  const sell = pointsAbove(now, high) && pointsAbove(before, now);
  return scoreOf({ buy, sell, needs: [now, before] });
}

/** Buy while both lines are below 20 and %K is above %D; sell while both are above 80 and %K is below %D. */
function stochasticScore(k: number, d: number): Score {
  return scoreOf({ buy: turnsUp(k, d), sell: turnsDown(k, d), needs: [k, d] });
}

/** The stochastic's rule, but buy only in a down-trend and sell only in an up-trend. */
function stochRsiScore(k: number, d: number, trend: number): Score {
  const buy = trend < 0 && turnsUp(k, d);
  return scoreOf({ buy, sell: trend > 0 && turnsDown(k, d), needs: [k, d, trend] });
}

/** A strong trend (above 20) that is growing counts for the side that leads it. */
function adxScore(columns: IndicatorColumns, row: number): Score {
  const now = columns.adx14[row]!;
  const before = valueBack(columns.adx14, row, 1);
  const plus = columns.plusDi14[row]!;
  const minus = columns.minusDi14[row]!;
  const growing = pointsAbove(now, 20) && pointsAbove(now, before);
  return scoreOf({
    buy: growing && pointsAbove(plus, minus),
    sell: growing && pointsAbove(minus, plus),
    needs: [now, before, plus, minus],
  });
}

/**
 * Buy on the day it crosses above 0, or on a saucer: above 0 for two days, it fell the day before and rises
 * now. Sell is the mirror image. A move from exactly 0 counts as a crossing. As in the published script, the
 * score is there from the oscillator's second day, on which only a crossing can be seen.
 */
function awesomeScore(column: Float64Array, row: number, close: number): Score {
  const now = column[row]!;
  const before = valueBack(column, row, 1);
  const twoBefore = valueBack(column, row, 2);
  const above = (value: number, line: number) => exceeds(value, line, close);
  const saucerUp = above(before, 0) && above(now, before) && above(twoBefore, before);
  const saucerDown = above(0, before) && above(before, now) && above(before, twoBefore);
  return scoreOf({
    buy: above(now, 0) && (!above(before, 0) || saucerUp),
    sell: above(0, now) && (!above(0, before) || saucerDown),
    needs: [now, before],
  });
}

/** Buy while momentum rises, sell while it falls, whatever its sign. */
function momentumScore(column: Float64Array, row: number, close: number): Score {
  const now = column[row]!;
  const before = valueBack(column, row, 1);
  return scoreOf({
    buy: exceeds(now, before, close),
    sell: exceeds(before, now, close),
    needs: [now, before],
  });
}

/** Buy while the line is above its signal line, sell while it is below. */
function macdScore(line: number, signal: number, close: number): Score {
  return scoreOf({
    buy: exceeds(line, signal, close),
    sell: exceeds(signal, line, close),
    needs: [line, signal],
  });
}

/** Buy in an up-trend while the bears weaken, sell in a down-trend while the bulls do. */
function powerScore(
  columns: IndicatorColumns,
  row: number,
  { close, trend }: { close: number; trend: Score },
): Score {
  const above = (value: number, line: number) => exceeds(value, line, close);
  const bull = columns.bullPower13[row]!;
  const bear = columns.bearPower13[row]!;
  const bullBefore = valueBack(columns.bullPower13, row, 1);
  const bearBefore = valueBack(columns.bearPower13, row, 1);
  return scoreOf({
    buy: trend > 0 && above(0, bear) && above(bear, bearBefore),
    sell: trend < 0 && above(bull, 0) && above(bullBefore, bull),
    needs: [trend, bull, bear, bullBefore, bearBefore],
  });
}

/** Buy above 70, sell below 30: here the extremes confirm a move. */
function ultimateScore(value: number): Score {
  return scoreOf({ buy: pointsAbove(value, 70), sell: pointsAbove(30, value), needs: [value] });
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
