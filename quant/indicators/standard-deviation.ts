import { checkPeriod } from "./period.ts";
import { squaredDeviations } from "./squared-deviations.ts";

/**
 * Population standard deviation of the last `period` values. Source: TA-Lib, STDDEV.
 *
 * Nothing is too small to count: a spread of a billionth of a dollar is one, and only equal values have
 * none. So it is in TA-Lib since 0.8; before, a variance below 1e-14 was 0 and with it the width of the
 * bands of a coin priced in millionths of a dollar.
 */
export function standardDeviation(values: Float64Array, period: number): Float64Array {
  checkPeriod("standard deviation period", period, 2);
  const out = squaredDeviations(values, period);
  for (let row = 0; row < out.length; row++) {
    out[row] = Math.sqrt(out[row]! / period);
  }
  return out;
}
