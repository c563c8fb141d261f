import { blankColumn, firstNumberRow } from "./column.ts";

/**
 * Mean of the `count` values from row `from` on: the seed of the smoothings below. It averages differences
 * from the first of them, so that the mean of equal values is exactly that value.
 */
function meanOfRows(values: Float64Array, from: number, count: number): number {
  const anchor = values[from]!;
  let sum = 0;
  for (let row = from; row < from + count; row++) sum += values[row]! - anchor;
  return anchor + sum / count;
}

/**
 * Exponential smoothing: each day moves the average towards the new value by the share `weight` of the
 * distance. The first average is the plain mean of the `period` values that end on `seedRow` (default: the
 * first `period` values that exist).
 */
export function smoothExponentially(
  values: Float64Array,
  period: number,
  weight: number,
  seedRow: number = firstNumberRow(values) + period - 1,
): Float64Array {
  const out = blankColumn(values.length);
  if (seedRow >= values.length) return out;
  let average = meanOfRows(values, seedRow - period + 1, period);
  out[seedRow] = average;
  for (let row = seedRow + 1; row < values.length; row++) {
    average += weight * (values[row]! - average);
    out[row] = average;
  }
  return out;
}
