import type { IndicatorColumns } from "../indicators/column-list.ts";
import { scoreOf, valueBack, type Score } from "./signal.ts";

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
 * Up-trend and down-trend mean a close above or below its 50-day EMA.
 */
export function oscillatorScores(
  columns: IndicatorColumns,
  row: number,
  close: number,
): OscillatorScores {
  const trend = close - columns.ema_50[row]!;
  return {
    rsi: reversalScore(columns.rsi_14, row, { low: 30, high: 70 }),
    stochastic: stochasticScore(columns.stoch_k[row]!, columns.stoch_d[row]!),
    cci: reversalScore(columns.cci_20, row, { low: -100, high: 100 }),
    adx: adxScore(columns, row),
    awesomeOscillator: awesomeScore(columns.awesome_oscillator, row),
    momentum: momentumScore(columns.momentum_10, row),
    macd: macdScore(columns.macd_line[row]!, columns.macd_signal[row]!),
    stochRsi: stochRsiScore(columns.stoch_rsi_k[row]!, columns.stoch_rsi_d[row]!, trend),
    williamsR: reversalScore(columns.williams_r_14, row, { low: -80, high: -20 }),
    bullBearPower: powerScore(columns, row, trend),
    ultimateOscillator: ultimateScore(columns.ultimate_oscillator[row]!),
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
  const buy = now < low && now > before;
  return scoreOf({ buy, sell: now > high && now < before, needs: [now, before] });
}

/** Buy while both lines are below 20 and %K is above %D; sell while both are above 80 and %K is below %D. */
function stochasticScore(k: number, d: number): Score {
  const buy = k < 20 && d < 20 && k > d;
  return scoreOf({ buy, sell: k > 80 && d > 80 && k < d, needs: [k, d] });
}

/** The stochastic's rule, but buy only in a down-trend and sell only in an up-trend. */
function stochRsiScore(k: number, d: number, trend: number): Score {
  const buy = trend < 0 && k < 20 && d < 20 && k > d;
  return scoreOf({ buy, sell: trend > 0 && k > 80 && d > 80 && k < d, needs: [k, d, trend] });
}

/** A strong trend (above 20) that is growing counts for the side that leads it. */
function adxScore(columns: IndicatorColumns, row: number): Score {
  const now = columns.adx_14[row]!;
  const before = valueBack(columns.adx_14, row, 1);
  const plus = columns.plus_di_14[row]!;
  const minus = columns.minus_di_14[row]!;
  const growing = now > 20 && now > before;
  return scoreOf({
    buy: growing && plus > minus,
    sell: growing && plus < minus,
    needs: [now, before, plus, minus],
  });
}

/**
 * Buy on the day it crosses above 0, or on a saucer: above 0 for two days, it fell the day before and rises
 * now. Sell is the mirror image. A move from exactly 0 counts as a crossing.
 */
function awesomeScore(column: Float64Array, row: number): Score {
  const now = column[row]!;
  const before = valueBack(column, row, 1);
  const twoBefore = valueBack(column, row, 2);
  const crossesUp = now > 0 && before <= 0;
  const crossesDown = now < 0 && before >= 0;
  const turnsUp = now > 0 && before > 0 && now > before && twoBefore > before;
  const turnsDown = now < 0 && before < 0 && now < before && twoBefore < before;
  return scoreOf({
    buy: crossesUp || turnsUp,
    sell: crossesDown || turnsDown,
    needs: [now, before, twoBefore],
  });
}

/** Buy while momentum rises, sell while it falls, whatever its sign. */
function momentumScore(column: Float64Array, row: number): Score {
  const now = column[row]!;
  const before = valueBack(column, row, 1);
  return scoreOf({ buy: now > before, sell: now < before, needs: [now, before] });
}

/** Buy while the line is above its signal line, sell while it is below. */
function macdScore(line: number, signal: number): Score {
  return scoreOf({ buy: line > signal, sell: line < signal, needs: [line, signal] });
}

/** Buy in an up-trend while the bears weaken, sell in a down-trend while the bulls do. */
function powerScore(columns: IndicatorColumns, row: number, trend: number): Score {
  const bull = columns.bull_power_13[row]!;
  const bear = columns.bear_power_13[row]!;
  const bullBefore = valueBack(columns.bull_power_13, row, 1);
  const bearBefore = valueBack(columns.bear_power_13, row, 1);
  return scoreOf({
    buy: trend > 0 && bear < 0 && bear > bearBefore,
    sell: trend < 0 && bull > 0 && bull < bullBefore,
    needs: [trend, bull, bear, bullBefore, bearBefore],
  });
}

/** Buy above 70, sell below 30: here the extremes confirm a move. */
function ultimateScore(value: number): Score {
  return scoreOf({ buy: value > 70, sell: value < 30, needs: [value] });
}
