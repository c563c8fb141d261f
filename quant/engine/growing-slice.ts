import { momentsOfSums } from "./statistics.ts";
import type { Moments } from "./statistics.ts";

/**
 * A slice of daily returns that grows by days, with the sums behind its moments, growth and drawdown. The
 * figures agree to the bit with `statistics.ts`. Two slices that begin on the same day, such as the
 * in-sample days and the whole run, cost only one pass over the longer.
 */
export interface GrowingSlice {
  readonly from: number;
  to: number;
  /** Sums of the differences from the first return, and of their squares. */
  sum: number;
  squares: number;
  growth: number;
  peak: number;
  maxDrawdown: number;
}

export function beginSlice(from: number): GrowingSlice {
  return { from, to: from, sum: 0, squares: 0, growth: 1, peak: 1, maxDrawdown: 0 };
}

/**
 * Adds the days up to `to` (exclusive). A single loop keeps all four sums, which do not wait for one
 * another.
 */
export function growSlice(slice: GrowingSlice, returns: Float64Array, to: number): void {
  const anchor = returns[slice.from]!;
  let { sum, squares, growth, peak, maxDrawdown } = slice;
  for (let row = slice.to; row < to; row++) {
    const value = returns[row]!;
    const distance = value - anchor;
    sum += distance;
    squares += distance * distance;
    growth *= 1 + value;
    if (growth > peak) peak = growth;
    const drawdown = growth / peak - 1;
    if (drawdown < maxDrawdown) maxDrawdown = drawdown;
  }
  Object.assign(slice, { to, sum, squares, growth, peak, maxDrawdown });
}

/** Moments of a slice of at least two days of `returns`. */
export function momentsOfSlice(slice: GrowingSlice, returns: Float64Array): Moments {
  const { from, to, sum, squares } = slice;
  return momentsOfSums({ anchor: returns[from]!, sum, squares, days: to - from });
}
