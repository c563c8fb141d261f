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
 * The extreme is kept until a value equals or beats it, or it leaves the window, which is then searched anew: as TA-Lib does. Of
 * prices that happens seldom (a random walk's highest of n days is the oldest once in sqrt(pi n) windows), and costs half of what
 * a queue of candidates does; prices that only fall cost a search each day.
 */
function rowsOfExtreme(values: Float64Array, period: number, sign: 1 | -1): Int32Array {
  checkPeriod("rolling period", period);
  const rows = new Int32Array(values.length).fill(-1);
  const first = firstNumberRow(values);
  let best = -Infinity;
  let bestRow = first;
  for (let row = first; row < values.length; row++) {
    const value = sign * values[row]!;
    if (value >= best) {
      best = value;
      bestRow = row;
    } else if (bestRow <= row - period) {
      bestRow = latestBest(values, row - period + 1, row, sign);
      best = sign * values[bestRow]!;
    }
    if (row >= first + period - 1) rows[row] = bestRow;
  }
  return rows;
}

/** Of the rows from `from` to `to`, both included. */
function latestBest(values: Float64Array, from: number, to: number, sign: 1 | -1): number {
  let bestRow = from;
  let best = sign * values[from]!;
  for (let row = from + 1; row <= to; row++) {
    const value = sign * values[row]!;
    if (value < best) continue;
    best = value;
    bestRow = row;
  }
  return bestRow;
}

function valuesAt(values: Float64Array, rows: Int32Array): Float64Array {
  const out = blankColumn(values.length);
  for (let row = 0; row < rows.length; row++) {
    const from = rows[row]!;
    if (from >= 0) out[row] = values[from]!;
  }
  return out;
}
