import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";

/**
 * Exponential smoothing: each day moves the average towards the new value by the share `weight` of the
 * distance. The first average is the plain mean of the `period` values that end on `seedRow`, by default the
 * first `period` values that exist. The mean is taken of the differences from the oldest of them, so that the
 * mean of equal values is exactly that value.
 */
export function smoothExponentially(
  values: Float64Array,
  period: number,
  weight: number,
  seedRow: number = firstNumberRow(values) + period - 1,
): Float64Array {
  checkPeriod("smoothing period", period);
  const out = blankColumn(values.length);
  if (seedRow >= values.length) return out;
  const from = seedRow - period + 1;
  const anchor = values[from]!;
  let sum = 0;
  for (let row = from; row <= seedRow; row++) sum += values[row]! - anchor;
  let average = anchor + sum / period;
  out[seedRow] = average;
  for (let row = seedRow + 1; row < values.length; row++) {
    average += weight * (values[row]! - average);
    out[row] = average;
  }
  return out;
}
