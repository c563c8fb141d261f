import { sampleCorrelation } from "simple-statistics";

/** Ranks from 1, the smallest; equal values share the mean of their ranks. */
export function averageRanks(values: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: values.length }, (_, k) => k);
  order.sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  let start = 0;
  while (start < order.length) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let k = start; k < end; k++) ranks[order[k]!] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

/**
 * Spearman's rank correlation with average ranks: Pearson's of the ranks. Pairs in which either
 * value is NaN (a flat run has no Sharpe) are left out. NaN for fewer than two pairs, and when
 * either side has no two different values.
 */
export function rankCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) {
    throw new RangeError(`rank correlation needs equal lengths, got ${a.length} and ${b.length}`);
  }
  const pairs = Array.from({ length: a.length }, (_, k) => k).filter(
    (k) => !Number.isNaN(a[k]) && !Number.isNaN(b[k]),
  );
  const left = averageRanks(pairs.map((k) => a[k]!));
  const right = averageRanks(pairs.map((k) => b[k]!));
  if (isConstant(left) || isConstant(right)) return NaN;
  return sampleCorrelation(Array.from(left), Array.from(right));
}

function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}
