import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";

/** Highest of the last `period` values. Source: TA-Lib, MAX. */
export function rollingMax(values: Float64Array, period: number): Float64Array {
  return valuesAt(values, rowsOfMax(values, period));
}

/** Lowest of the last `period` values. Source: TA-Lib, MIN. */
export function rollingMin(values: Float64Array, period: number): Float64Array {
  return valuesAt(values, rowsOfMin(values, period));
}

/** Row of the highest of the last `period` values, on a tie the latest; -1 in the warm-up. */
export function rowsOfMax(values: Float64Array, period: number): Int32Array {
  return rowsOfExtreme(values, period, 1);
}

/** Row of the lowest of the last `period` values, on a tie the latest; -1 in the warm-up. */
export function rowsOfMin(values: Float64Array, period: number): Int32Array {
  return rowsOfExtreme(values, period, -1);
}

/**
 * A queue holds the rows that can still become the extreme, best first: a new value drives out all
 * it equals or beats. Each row enters and leaves once, whatever the period.
 */
function rowsOfExtreme(values: Float64Array, period: number, sign: 1 | -1): Int32Array {
  checkPeriod("rolling period", period);
  const rows = new Int32Array(values.length).fill(-1);
  const queue = new Int32Array(values.length);
  const first = firstNumberRow(values);
  let head = 0;
  let tail = 0;
  for (let row = first; row < values.length; row++) {
    const value = sign * values[row]!;
    while (tail > head && sign * values[queue[tail - 1]!]! <= value) tail--;
    queue[tail++] = row;
    if (queue[head]! <= row - period) head++;
    if (row >= first + period - 1) rows[row] = queue[head]!;
  }
  return rows;
}

function valuesAt(values: Float64Array, rows: Int32Array): Float64Array {
  const out = blankColumn(values.length);
  for (let row = 0; row < rows.length; row++) {
    const from = rows[row]!;
    if (from >= 0) out[row] = values[from]!;
  }
  return out;
}
