import { sortNumbers } from "./sort-numbers.ts";

/**
 * Quantile of a sample, interpolated linearly between the order statistics around (n - 1) x p (Hyndman and
 * Fan's type 7, the default of numpy, R and DuckDB's `quantile_cont`). NaN values are left out; NaN for an
 * empty sample.
 */
export function quantile(values: ArrayLike<number>, p: number): number {
  const sorted = sortNumbers(known(values));
  const position = (sorted.length - 1) * p;
  const lower = sorted[Math.floor(position)];
  if (lower === undefined) return NaN;
  const upper = sorted[Math.ceil(position)]!; // in range, since p is at most 1
  return lower + (position - Math.floor(position)) * (upper - lower);
}

/**
 * Scratch memory. Thousands of short lists are sorted, and allocating for each would cost more than sorting
 * it.
 */
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

/** One number of each item, as a typed array: in a long plain array every number is an object of its own. */
export function columnOf<Item>(items: readonly Item[], of: (item: Item) => number): Float64Array {
  const column = new Float64Array(items.length);
  for (let index = 0; index < column.length; index++) column[index] = of(items[index]!);
  return column;
}
