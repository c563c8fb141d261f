import { blankColumn } from "./column.ts";
import { checkFactor, checkPeriod } from "./period.ts";
import { sma } from "./sma.ts";
import { standardDeviation } from "./standard-deviation.ts";

/** A channel around price: a middle line and a line above and below it. */
export interface Bands {
  readonly upper: Float64Array;
  readonly middle: Float64Array;
  readonly lower: Float64Array;
}

/**
 * Bollinger bands: simple average, and `multiplier` population standard deviations to each side.
 * Source: TA-Lib, BBANDS; J. Bollinger, "Bollinger on Bollinger Bands" (2001).
 */
export function bollinger(close: Float64Array, period: number, multiplier: number): Bands {
  checkPeriod("Bollinger period", period, 2);
  checkFactor("Bollinger multiplier", multiplier);
  return bandsAround(sma(close, period), standardDeviation(close, period), multiplier);
}

/** Bands `multiplier` widths to each side of the middle. */
export function bandsAround(middle: Float64Array, width: Float64Array, multiplier: number): Bands {
  const upper = blankColumn(middle.length);
  const lower = blankColumn(middle.length);
  for (let row = 0; row < middle.length; row++) {
    upper[row] = middle[row]! + multiplier * width[row]!;
    lower[row] = middle[row]! - multiplier * width[row]!;
  }
  return { upper, middle, lower };
}
