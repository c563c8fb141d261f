import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";

/**
 * Sum of the last `period` values.
 *
 * A running sum that adds the new value and subtracts the old one keeps every rounding error it ever made.
 * After a coin has lost all but a millionth of its price, those errors are larger than what is left. Here
 * nothing is subtracted: rows are cut into blocks of `period`, and a window is the tail of one block plus
 * the head of the next, each a plain sum. So errors never outlive a window, a window of zeros sums to
 * exactly zero, and a row costs two additions whatever the period.
 */
export function slidingSum(values: Float64Array, period: number): Float64Array {
  checkPeriod("sum period", period);
  const out = blankColumn(values.length);
  const first = firstNumberRow(values);
  if (first + period > values.length) return out;
  // Entry i: sum of the last complete block from its row i on.
  const tails = new Float64Array(period);
  let head = 0;
  let rowsInHead = 0;
  for (let row = first; row < values.length; row++) {
    if (rowsInHead === period) {
      sumTails(values, row, tails);
      head = 0;
      rowsInHead = 0;
    }
    head += values[row]!;
    rowsInHead++;
    if (row >= first + period - 1)
      out[row] = rowsInHead === period ? head : tails[rowsInHead]! + head;
  }
  return out;
}

/** Fills `tails` with the sums of the block that ends before row `end`, from each row to its end. */
function sumTails(values: Float64Array, end: number, tails: Float64Array): void {
  let sum = 0;
  for (let back = 1; back <= tails.length; back++) {
    sum += values[end - back]!;
    tails[tails.length - back] = sum;
  }
}
