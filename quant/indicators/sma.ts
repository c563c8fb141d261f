import { slidingSum } from "./sliding-sum.ts";

/**
 * Simple moving average: the mean of the last `period` values. Source: TA-Lib, SMA.
 *
 * The mean of equal values is exactly that value, so a price that does not move is never a rounding error
 * above or below its average.
 */
export function sma(values: Float64Array, period: number): Float64Array {
  const out = slidingSum(values, period);
  let equalRun = 0;
  for (let row = 0; row < values.length; row++) {
    equalRun = row > 0 && values[row] === values[row - 1] ? equalRun + 1 : 1;
    out[row] = equalRun >= period ? values[row]! : out[row]! / period;
  }
  return out;
}
