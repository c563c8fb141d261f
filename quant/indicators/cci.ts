import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { sma } from "./sma.ts";
import { typicalPrice } from "./typical-price.ts";

/** Lambert's constant: it puts most values between -100 and 100. */
const LAMBERT = 0.015;

/**
 * Commodity Channel Index: distance of the typical price from its average, in units of 0.015 mean
 * absolute deviations. Source: TA-Lib, CCI. Without any deviation it is 0, as there.
 */
export function cci(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period: number,
): Float64Array {
  checkPeriod("CCI period", period, 2);
  const prices = typicalPrice(high, low, close);
  const means = sma(prices, period);
  const out = blankColumn(close.length);
  for (let row = firstNumberRow(means); row < close.length; row++) {
    const mean = means[row]!;
    let deviation = 0;
    for (let back = row - period + 1; back <= row; back++) {
      deviation += Math.abs(prices[back]! - mean);
    }
    const distance = prices[row]! - mean;
    const even = distance === 0 || deviation === 0;
    out[row] = even ? 0 : distance / (LAMBERT * (deviation / period));
  }
  return out;
}
