import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { rollingMax, rollingMin } from "./rolling-extreme.ts";
import { sma } from "./sma.ts";
import { isTalibZero } from "./talib-zero.ts";

interface StochasticPeriods {
  readonly kPeriod: number;
  readonly kSmoothing: number;
  readonly dSmoothing: number;
}

export interface Stochastic {
  /** %K: where the close is between lowest low (0) and highest high (100), smoothed. */
  readonly k: Float64Array;
  /** %D: the average of %K. */
  readonly d: Float64Array;
}

/**
 * Slow stochastic, with simple averages for both smoothings. Source: TA-Lib, STOCH. As there, a window
 * counts as 0 where its range is only rounding error relative to its highest and lowest. %D begins
 * `dSmoothing - 1` days after %K.
 */
export function stochastic(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  { kPeriod, kSmoothing, dSmoothing }: StochasticPeriods,
): Stochastic {
  checkPeriod("stochastic %K period", kPeriod);
  const range = { highest: rollingMax(high, kPeriod), lowest: rollingMin(low, kPeriod) };
  return stochasticIn(range, close, { kSmoothing, dSmoothing });
}

/** The same for a known range: the highest high and the lowest low of the last days. */
export function stochasticIn(
  { highest, lowest }: { readonly highest: Float64Array; readonly lowest: Float64Array },
  close: Float64Array,
  { kSmoothing, dSmoothing }: Omit<StochasticPeriods, "kPeriod">,
): Stochastic {
  checkPeriod("stochastic %K smoothing", kSmoothing);
  checkPeriod("stochastic %D smoothing", dSmoothing);
  const fast = blankColumn(close.length);
  for (let row = firstNumberRow(highest, lowest, close); row < close.length; row++) {
    const range = highest[row]! - lowest[row]!;
    const even = isTalibZero(range, highest[row]! + lowest[row]!); // prices or an RSI: none is below 0
    fast[row] = even ? 0 : (close[row]! - lowest[row]!) / (range / 100);
  }
  const k = sma(fast, kSmoothing);
  return { k, d: sma(k, dSmoothing) };
}
