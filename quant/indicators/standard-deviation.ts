import { checkPeriod } from "./period.ts";
import { squaredDeviations } from "./squared-deviations.ts";
import { isTalibZero } from "./talib-zero.ts";

/**
 * Population standard deviation of the last `period` values. Source: TA-Lib, STDDEV.
 *
 * TA-Lib reads a variance below 1e-14 as none, and so does this: values that spread by less than
 * 1e-7 have deviation 0. A coin priced in millionths of a dollar meets that on its calmest days.
 */
export function standardDeviation(values: Float64Array, period: number): Float64Array {
  checkPeriod("standard deviation period", period, 2);
  const out = squaredDeviations(values, period);
  for (let row = 0; row < out.length; row++) {
    const variance = out[row]! / period;
    out[row] = isTalibZero(variance) ? 0 : Math.sqrt(variance);
  }
  return out;
}
