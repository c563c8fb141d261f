import { sampleCorrelation } from "simple-statistics";

/** Ranks from 1 for the smallest; equal values share the mean of their ranks. No value may be NaN. */
export function averageRanks(values: ArrayLike<number>): Float64Array {
  const sorted = Float64Array.from(values).sort();
  const ranks = new Float64Array(values.length);
  for (let place = 0; place < ranks.length; place++) {
    const value = values[place]!;
    const before = countBelow(sorted, value);
    let end = before;
    while (sorted[end] === value) end++;
    ranks[place] = (before + 1 + end) / 2;
  }
  return ranks;
}

function countBelow(sorted: Float64Array, value: number): number {
  let least = 0;
  let most = sorted.length;
  while (least < most) {
    const middle = (least + most) >>> 1;
    if (sorted[middle]! < value) least = middle + 1;
    else most = middle;
  }
  return least;
}

/**
 * Spearman's rank correlation: Pearson's correlation of the average ranks. Pairs with a NaN on either side
 * are left out (a flat run has no Sharpe). NaN for fewer than two pairs, and when all values on either side
 * are equal.
 */
export function rankCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) {
    throw new RangeError(`rank correlation needs equal lengths, got ${a.length} and ${b.length}`);
  }
  const pairs: number[] = [];
  for (let place = 0; place < a.length; place++) {
    if (!Number.isNaN(a[place]) && !Number.isNaN(b[place])) pairs.push(place);
  }
  const left = averageRanks(pairs.map((place) => a[place]!));
  const right = averageRanks(pairs.map((place) => b[place]!));
  if (isConstant(left) || isConstant(right)) return NaN;
  return sampleCorrelation(Array.from(left), Array.from(right));
}

function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}
