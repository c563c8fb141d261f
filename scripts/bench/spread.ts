/** The median of some measurements and how far apart they lie. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** The number of measurements. */
  readonly rounds: number;
}

/**
 * Median (the mean of the middle two if their number is even), smallest and largest; NaN if there are none.
 */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const rounds = sorted.length;
  const upper = sorted[rounds >> 1] ?? NaN;
  const lower = sorted[(rounds - 1) >> 1] ?? NaN;
  return {
    median: (lower + upper) / 2,
    min: sorted[0] ?? NaN,
    max: sorted[rounds - 1] ?? NaN,
    rounds,
  };
}

/**
 * The ratio of two measurements, round by round. What slows a whole round down, such as other work on the
 * machine, slows both and cancels out.
 */
export function ratioSpread(above: readonly number[], below: readonly number[]): Spread {
  if (above.length !== below.length) {
    throw new RangeError(`${above.length} measurements against ${below.length}`);
  }
  return spreadOf(above.map((value, round) => value / below[round]!));
}

/**
 * The smallest value that at least this share of all values does not exceed (nearest rank). `sorted` ascends.
 * NaN if there are none.
 */
export function percentile(sorted: Float64Array, share: number): number {
  if (!(share > 0 && share <= 1))
    throw new RangeError(`a share is above 0 and at most 1: ${share}`);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}
