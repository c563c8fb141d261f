import { quickselect } from "simple-statistics";

/**
 * Quantile of a sample, interpolated linearly between the order statistics around (n - 1) x p (Hyndman and
 * Fan's type 7, the default of numpy, R and DuckDB's `quantile_cont`). NaN values are left out; NaN for an
 * empty sample.
 */
export function quantile(values: ArrayLike<number>, p: number): number {
  const sample = known(values);
  if (sample.length === 0) return NaN;
  const position = (sample.length - 1) * p;
  const index = Math.ceil(position);
  // Afterwards no value before the place is larger and none after it smaller. Typed arrays work as well as lists.
  quickselect(sample as unknown as number[], index, 0, sample.length - 1);
  const upper = sample[index]!; // in range, since p is at most 1
  const lower = index === position ? upper : largest(sample.subarray(0, index));
  return lower + (position - Math.floor(position)) * (upper - lower);
}

function largest(values: Float64Array): number {
  let most = -Infinity;
  for (let index = 0; index < values.length; index++) most = Math.max(most, values[index]!);
  return most;
}

/** Scratch memory, since allocating for each of thousands of short lists would cost more than reading them. */
let room = new Float64Array(1024);

/** The values that are not NaN, in order. The next call overwrites them. */
function known(values: ArrayLike<number>): Float64Array {
  if (room.length < values.length) room = new Float64Array(2 * values.length);
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (!Number.isNaN(value)) room[count++] = value;
  }
  return room.subarray(0, count);
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/** Mean of the values that are not NaN; NaN if there are none. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

/** Number of the values that are not NaN. */
export function countKnown(values: ArrayLike<number>): number {
  let count = 0;
  for (let index = 0; index < values.length; index++) if (!Number.isNaN(values[index])) count++;
  return count;
}

/** Sample variance (n - 1) of the values that are not NaN; NaN for fewer than two. */
export function variance(values: ArrayLike<number>): number {
  const centre = mean(values);
  let squares = 0;
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (Number.isNaN(value)) continue;
    squares += (value - centre) ** 2;
    count++;
  }
  return count > 1 ? squares / (count - 1) : NaN;
}

/** The columns one after the other. */
export function concatenated(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(columns.reduce((length, column) => length + column.length, 0));
  let begin = 0;
  for (const column of columns) {
    all.set(column, begin);
    begin += column.length;
  }
  return all;
}

/** One number of each item, as a typed array: in a long plain array every number is an object of its own. */
export function columnOf<Item>(
  items: readonly Item[],
  valueOf: (item: Item) => number,
): Float64Array {
  const column = new Float64Array(items.length);
  for (let index = 0; index < column.length; index++) column[index] = valueOf(items[index]!);
  return column;
}
