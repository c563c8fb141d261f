import { squaredDeviations } from "./squared-deviations.ts";

/**
 * Population standard deviation of the last `period` values. Source: TA-Lib, STDDEV.
 *
 * No spread is too small to count, as in TA-Lib since 0.8: only equal values have none. Before, a variance
 * below 1e-14 counted as 0, and the bands of a coin priced in millionths of a dollar had no width.
 */
export function standardDeviation(values: Float64Array, period: number): Float64Array {
  const out = squaredDeviations(values, period);
  for (let row = 0; row < out.length; row++) out[row] = Math.sqrt(out[row]! / period);
  return out;
}
