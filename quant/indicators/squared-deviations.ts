import { blankColumn, firstNumberRow } from "./column.ts";

/**
 * Sum of the squared distances of the last `period` values from their mean (`means` = their SMA).
 *
 * The distances are taken window by window, `period` steps a row. The shortcut through running sums of
 * squares loses all its digits when a coin's price is far larger than its moves, or was so once.
 */
export function squaredDeviations(
  values: Float64Array,
  means: Float64Array,
  period: number,
): Float64Array {
  const out = blankColumn(values.length);
  const start = firstNumberRow(values) + period - 1;
  for (let row = start; row < values.length; row++) {
    const mean = means[row]!;
    let sum = 0;
    for (let back = row - period + 1; back <= row; back++) {
      const distance = values[back]! - mean;
      sum += distance * distance;
    }
    out[row] = sum;
  }
  return out;
}
