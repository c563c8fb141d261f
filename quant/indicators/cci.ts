import type { Prices } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { sma } from "./sma.ts";
import { isTalibZero } from "./talib-zero.ts";
import { typicalPrice } from "./typical-price.ts";

/** Lambert's constant, which puts most values between -100 and 100. */
const LAMBERT = 0.015;

/**
 * Commodity Channel Index: distance of the typical price from its average, in units of 0.015 mean absolute
 * deviations. Source: TA-Lib, CCI. As there, it is 0 where the distance, or the mean deviation, is only
 * rounding error relative to the average.
 */
export function cci(bars: Prices, period: number): Float64Array {
  checkPeriod("CCI period", period, 2);
  const prices = typicalPrice(bars);
  const means = sma(prices, period);
  const out = blankColumn(prices.length);
  for (let row = firstNumberRow(means); row < out.length; row++) {
    const mean = means[row]!;
    let deviation = 0;
    for (let back = row - period + 1; back <= row; back++) {
      deviation += Math.abs(prices[back]! - mean);
    }
    const distance = prices[row]! - mean;
    const typical = deviation / period;
    const even = isTalibZero(distance, mean) || isTalibZero(typical, mean);
    out[row] = even ? 0 : distance / (LAMBERT * typical);
  }
  return out;
}
