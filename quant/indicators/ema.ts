import { smoothExponentially } from "./exponential.ts";

/**
 * Exponential moving average with weight 2 / (period + 1), seeded with the mean of the first
 * `period` values. Source: TA-Lib, EMA.
 */
export function ema(values: Float64Array, period: number): Float64Array {
  return smoothExponentially(values, period, 2 / (period + 1));
}
