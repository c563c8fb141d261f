import { checkPeriod } from "./period.ts";
import { squaredDeviations } from "./squared-deviations.ts";

/**
 * Population standard deviation of the last `period` values. Source: TA-Lib, STDDEV.
 *
 * No spread is too small to count: a billionth of a dollar is one, and only equal values have none. TA-Lib
 * does so since 0.8. Before, a variance below 1e-14 counted as 0, and the bands of a coin priced in
 * millionths of a dollar had no width.
 */
export function standardDeviation(values: Float64Array, period: number): Float64Array {
  checkPeriod("standard deviation period", period, 2);
  const out = squaredDeviations(values, period);
  for (let row = 0; row < out.length; row++) {
    out[row] = Math.sqrt(out[row]! / period);
  }
  return out;
}
