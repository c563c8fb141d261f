import { wma } from "./wma.ts";

/**
 * Hull moving average: take twice the WMA over half the period minus the WMA over the period, and average
 * that by a WMA over sqrt(period) days. Both lengths are rounded down, so the period is at least 2. Source: A.
 * Hull (2005); TradingView, ta.hma.
 */
export function hullMa(close: Float64Array, period: number): Float64Array {
  const difference = wma(close, Math.floor(period / 2));
  const slow = wma(close, period);
  for (let row = 0; row < close.length; row++) {
    difference[row] = 2 * difference[row]! - slow[row]!;
  }
  return wma(difference, Math.floor(Math.sqrt(period)));
}
