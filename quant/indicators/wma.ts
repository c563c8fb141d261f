import { firstNumberRow, blankColumn } from "./column.ts";
import { slidingSum } from "./sliding-sum.ts";

/**
 * Weighted moving average: the newest value counts `period` times, the oldest once. Source: TA-Lib, WMA.
 *
 * Moving on by a day adds `period` times the new value and subtracts the plain sum of the old window. The
 * weighted sum is restarted every `period` rows, so rounding errors do not outlive two windows. The average
 * of equal values is exactly that value.
 */
export function wma(values: Float64Array, period: number): Float64Array {
  const out = blankColumn(values.length);
  const sums = slidingSum(values, period);
  const weights = (period * (period + 1)) / 2;
  const first = firstNumberRow(values);
  let weighted = 0;
  let equalRun = 0;
  for (let row = first; row < values.length; row++) {
    equalRun = row > first && values[row] === values[row - 1] ? equalRun + 1 : 1;
    const rowsSeen = row - first + 1;
    if (rowsSeen < period) continue;
    if (rowsSeen % period === 0) weighted = weightedSum(values, row, period);
    else weighted += period * values[row]! - sums[row - 1]!;
    out[row] = equalRun >= period ? values[row]! : weighted / weights;
  }
  return out;
}

/** Sum of the `period` values up to row `last`, weighted 1 .. period. */
function weightedSum(values: Float64Array, last: number, period: number): number {
  let sum = 0;
  for (let weight = 1; weight <= period; weight++) sum += weight * values[last - period + weight]!;
  return sum;
}
