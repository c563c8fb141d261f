import { bandsAround, type Bands } from "./bollinger.ts";
import { ema } from "./ema.ts";
import { checkFactor, checkPeriod } from "./period.ts";
import { rma } from "./rma.ts";
import { trueRange } from "./true-range.ts";

interface KeltnerOptions {
  readonly period: number;
  readonly atrPeriod: number;
  readonly multiplier: number;
}

/**
 * Keltner channels: EMA of the close, and `multiplier` average true ranges to each side. Source:
 * TradingView, Keltner Channels (defaults 20, 10, 2), after L. B. Raschke. The range is ta.atr: Wilder's
 * average of the true range, including the first day's. The bands begin once both parts have values.
 */
export function keltner(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  { period, atrPeriod, multiplier }: KeltnerOptions,
): Bands {
  checkPeriod("Keltner period", period);
  checkPeriod("Keltner ATR period", atrPeriod);
  checkFactor("Keltner multiplier", multiplier);
  const averageRange = rma(trueRange(high, low, close), atrPeriod);
  return bandsAround(ema(close, period), averageRange, multiplier);
}
