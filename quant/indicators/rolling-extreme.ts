import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";

/** Highest of the last `period` values. Source: TA-Lib, MAX. */
export function rollingMax(values: Float64Array, period: number): Float64Array {
  return rollingMaxima(values)(period).slice();
}

/** Lowest of the last `period` values. Source: TA-Lib, MIN. */
export function rollingMin(values: Float64Array, period: number): Float64Array {
  return rollingMinima(values)(period).slice();
}

/** Highest of the last values, for any number of periods. Each is computed on first use; do not write to it. */
export function rollingMaxima(values: Float64Array) {
  return extremesOf(values, higherOf);
}

/** Lowest of the last values, likewise. */
export function rollingMinima(values: Float64Array) {
  return extremesOf(values, lowerOf);
}

/**
 * A window is covered by two overlapping windows of at least half its length, so its extreme is that of
 * theirs. Each period therefore takes one pass over the extremes of the largest power of two below it,
 * which all periods share (the sparse table of M. A. Bender and M. Farach-Colton, "The LCA Problem
 * Revisited", 2000). A window that contains a NaN has no extreme.
 */
function extremesOf(values: Float64Array, join: typeof higherOf) {
  const known = new Map<number, Float64Array>([[1, values]]);
  const extremes = (period: number): Float64Array => {
    let column = known.get(period);
    if (column === undefined) {
      const half = 2 ** (31 - Math.clz32(period - 1));
      column = join(extremes(half), period - half);
      known.set(period, column);
    }
    return column;
  };
  return (period: number) => {
    checkPeriod("rolling period", period);
    return period > values.length ? blankColumn(values.length) : extremes(period);
  };
}

/** The higher of the extremes of two windows that begin `apart` rows apart. */
function higherOf(extremes: Float64Array, apart: number): Float64Array {
  const out = blankColumn(extremes.length);
  for (let row = apart; row < out.length; row++) {
    out[row] = Math.max(extremes[row]!, extremes[row - apart]!);
  }
  return out;
}

function lowerOf(extremes: Float64Array, apart: number): Float64Array {
  const out = blankColumn(extremes.length);
  for (let row = apart; row < out.length; row++) {
    out[row] = Math.min(extremes[row]!, extremes[row - apart]!);
  }
  return out;
}

/**
 * Row of the highest (`sign` 1) or the lowest (-1) of the last `period` values, the latest on a tie; -1 in the
 * warm-up.
 *
 * A queue holds the rows that can still become the extreme, best first. A new value removes all that it
 * equals or beats, so each row enters and leaves once, whatever the period.
 */
export function rowsOfExtreme(values: Float64Array, period: number, sign: 1 | -1): Int32Array {
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
