import { blankColumn } from "./column.ts";
import { checkFactor } from "./period.ts";
import { sma } from "./sma.ts";
import { standardDeviation } from "./standard-deviation.ts";

/**
 * Bollinger bands: simple average, and `multiplier` population standard deviations to each side.
 * Source: TA-Lib, BBANDS; J. Bollinger, "Bollinger on Bollinger Bands" (2001).
 */
export function bollinger(close: Float64Array, period: number, multiplier: number) {
  return bandsAround(sma(close, period), standardDeviation(close, period), multiplier);
}

/** Bands `multiplier` widths to each side of a middle line. */
export function bandsAround(middle: Float64Array, width: Float64Array, multiplier: number) {
  checkFactor("band multiplier", multiplier);
  const upper = blankColumn(middle.length);
  const lower = blankColumn(middle.length);
  for (let row = 0; row < middle.length; row++) {
    upper[row] = middle[row]! + multiplier * width[row]!;
    lower[row] = middle[row]! - multiplier * width[row]!;
  }
  return { upper, middle, lower };
}
