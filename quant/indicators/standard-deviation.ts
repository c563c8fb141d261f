import { checkPeriod } from "./period.ts";
import { sma } from "./sma.ts";
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
  return deviationAround(values, sma(values, period), period);
}

/** `standardDeviation` for a caller that has the means (the SMA of the same period) already. */
export function deviationAround(
  values: Float64Array,
  means: Float64Array,
  period: number,
): Float64Array {
  const out = squaredDeviations(values, means, period);
  for (let row = 0; row < out.length; row++) {
    const variance = out[row]! / period;
    out[row] = isTalibZero(variance) ? 0 : Math.sqrt(variance);
  }
  return out;
}
