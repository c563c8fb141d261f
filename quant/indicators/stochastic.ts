import type { Prices } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { rollingMax, rollingMin } from "./rolling-extreme.ts";
import { sma } from "./sma.ts";
import { isTalibZero } from "./talib-zero.ts";

/** The highest high and the lowest low of a window that ends on each row. */
export interface Range {
  readonly highest: Float64Array;
  readonly lowest: Float64Array;
}

/**
 * Slow stochastic. %K says where the close is between the lowest low (0) and the highest high (100) of the
 * window, smoothed by a simple average. %D is the simple average of %K and begins `dSmoothing - 1` days later.
 * Source: TA-Lib, STOCH. As there, a window counts as 0 where its range is only rounding error relative to its
 * highest and lowest.
 */
export function stochastic(
  { high, low, close }: Prices,
  kPeriod: number,
  kSmoothing: number,
  dSmoothing: number,
) {
  const range = { highest: rollingMax(high, kPeriod), lowest: rollingMin(low, kPeriod) };
  return stochasticIn(range, close, kSmoothing, dSmoothing);
}

/** The slow stochastic of a range that is already known. */
export function stochasticIn(
  { highest, lowest }: Range,
  close: Float64Array,
  kSmoothing: number,
  dSmoothing: number,
) {
  const fast = blankColumn(close.length);
  for (let row = firstNumberRow(highest, lowest, close); row < close.length; row++) {
    const range = highest[row]! - lowest[row]!;
    const even = isTalibZero(range, highest[row]! + lowest[row]!); // prices or an RSI: none is below 0
    fast[row] = even ? 0 : (close[row]! - lowest[row]!) / (range / 100);
  }
  const k = sma(fast, kSmoothing);
  return { k, d: sma(k, dSmoothing) };
}
