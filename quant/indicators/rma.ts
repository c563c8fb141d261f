import { smoothExponentially } from "./exponential.ts";

/**
 * Wilder's moving average: weight 1 / period, seeded with the mean of the first `period` values.
 * Source: J. W. Wilder, "New Concepts in Technical Trading Systems" (1978); TradingView, ta.rma.
 */
export function rma(values: Float64Array, period: number): Float64Array {
  return smoothExponentially(values, period, 1 / period);
}
