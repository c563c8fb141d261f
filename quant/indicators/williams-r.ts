import type { Prices } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { rollingMax, rollingMin } from "./rolling-extreme.ts";
import type { Range } from "./stochastic.ts";
import { isTalibZero } from "./talib-zero.ts";

/**
 * Williams %R: where the close is between highest high (0) and lowest low (-100) of the last `period` days.
 * Source: TA-Lib, WILLR. As there, it is 0 where the window's range is only rounding error relative to its
 * highest and lowest, and never leaves 0 to -100: the price rules accept a close that lies outside its own
 * day's range by up to 0.1 %.
 */
export function williamsR({ high, low, close }: Prices, period: number): Float64Array {
  return williamsRIn({ highest: rollingMax(high, period), lowest: rollingMin(low, period) }, close);
}

/** Williams %R of a range that is already known. */
export function williamsRIn({ highest, lowest }: Range, close: Float64Array): Float64Array {
  const out = blankColumn(close.length);
  for (let row = firstNumberRow(highest, lowest, close); row < close.length; row++) {
    const range = highest[row]! - lowest[row]!;
    const even = isTalibZero(range, highest[row]! + lowest[row]!);
    const position = even ? 0 : (close[row]! - highest[row]!) / (range / 100);
    out[row] = Math.max(-100, Math.min(0, position));
  }
  return out;
}
