import type { Bars } from "../bars.ts";
import type { IndicatorColumns } from "../indicators/column-list.ts";
import { averageScore } from "./average-scores.ts";
import { exceeds, POINTS, scoreOf, valueBack, type Score } from "./signal.ts";

/** Days in the average that serves as on-balance volume's signal. */
const OBV_AVERAGE_DAYS = 20;

/** Scores of the indicators that are not part of the technical rating. */
export interface FurtherScores {
  readonly supertrend: Score;
  readonly bollinger: Score;
  readonly atr: Score;
  readonly keltner: Score;
  readonly donchian: Score;
  readonly aroon: Score;
  readonly parabolicSar: Score;
  readonly mfi: Score;
  readonly obv: Score;
  readonly roc: Score;
  readonly realizedVolatility30d: Score;
  readonly drawdownFromHigh: Score;
}

/**
 * Each indicator's own signal on a row, by the rule that textbooks give first. Rounding decides no comparison.
 */
export function furtherScores(bars: Bars, columns: IndicatorColumns, row: number): FurtherScores {
  const close = bars.close[row]!;
  return {
    supertrend: supertrendScore(columns.supertrend_direction[row]!),
    bollinger: bollingerScore(columns, row, close),
    atr: silentScore(columns.atr_14[row]!),
    keltner: keltnerScore(columns, row, close),
    donchian: donchianScore(columns, row, close),
    aroon: aroonScore(columns.aroon_up[row]!, columns.aroon_down[row]!),
    parabolicSar: averageScore(columns.parabolic_sar[row]!, close),
    mfi: mfiScore(columns.mfi_14[row]!),
    obv: obvScore(columns.obv, row),
    roc: rocScore(columns.roc_12[row]!),
    realizedVolatility30d: silentScore(columns.realized_volatility_30d_pct[row]!),
    drawdownFromHigh: silentScore(columns.drawdown_from_high_pct[row]!),
  };
}

/** SuperTrend: buy in its up-trend, sell in its down-trend, never neutral. */
function supertrendScore(direction: number): Score {
  return scoreOf({ buy: direction > 0, sell: direction < 0, needs: [direction] });
}

/** Bollinger: buy on a close at or below the lower band, sell at or above the upper (band touch). */
function bollingerScore(columns: IndicatorColumns, row: number, close: number): Score {
  const upper = columns.bollinger_upper[row]!;
  const lower = columns.bollinger_lower[row]!;
  return scoreOf({
    buy: !exceeds(close, lower, close),
    sell: !exceeds(upper, close, close),
    needs: [upper, lower],
  });
}

/** Neutral on every day: how much a price moves says nothing about its direction. */
function silentScore(value: number): Score {
  return scoreOf({ buy: false, sell: false, needs: [value] });
}

/** Keltner: buy on a close above the channel, sell below it (a breakout, unlike Bollinger's touch). */
function keltnerScore(columns: IndicatorColumns, row: number, close: number): Score {
  const upper = columns.keltner_upper[row]!;
  const lower = columns.keltner_lower[row]!;
  return scoreOf({
    buy: exceeds(close, upper, close),
    sell: exceeds(lower, close, close),
    needs: [upper, lower],
  });
}

/** Donchian: buy on a close above the highest high of the 20 days before, sell below their lowest low. */
function donchianScore(columns: IndicatorColumns, row: number, close: number): Score {
  const upper = valueBack(columns.donchian_upper, row, 1);
  const lower = valueBack(columns.donchian_lower, row, 1);
  return scoreOf({ buy: close > upper, sell: close < lower, needs: [upper, lower] });
}

/** Aroon: buy with up above 70 and down below 30, sell the other way round (Chande's trend rule). */
function aroonScore(up: number, down: number): Score {
  return scoreOf({ buy: up > 70 && down < 30, sell: down > 70 && up < 30, needs: [up, down] });
}

/** Money flow: buy below 20 (oversold), sell above 80 (overbought). */
function mfiScore(value: number): Score {
  return scoreOf({
    buy: exceeds(20, value, POINTS),
    sell: exceeds(value, 80, POINTS),
    needs: [value],
  });
}

/** Rate of change: buy above 0, sell below. */
function rocScore(value: number): Score {
  return scoreOf({ buy: value > 0, sell: value < 0, needs: [value] });
}

/** On-balance volume: buy above the average of its last 20 days, sell below; its level means nothing. */
function obvScore(column: Float64Array, row: number): Score {
  const now = column[row]!;
  let excess = 0;
  let size = 0;
  for (let back = 0; back < OBV_AVERAGE_DAYS; back++) {
    const then = valueBack(column, row, back);
    excess += now - then;
    size += Math.abs(then);
  }
  return scoreOf({
    buy: exceeds(excess, 0, size),
    sell: exceeds(0, excess, size),
    needs: [excess],
  });
}
