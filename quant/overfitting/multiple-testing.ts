/**
 * p-values adjusted for being several, in the order they are given. All are cut at 1.
 * Harvey and Liu, "Backtesting", 2015, pp. 15-17, for the first three.
 */

/** Bonferroni: each p times their number. Holds for tests of any dependence. */
export function bonferroni(pValues: readonly number[]): number[] {
  return pValues.map((p) => Math.min(pValues.length * p, 1));
}

/** Holm: p times the number of p-values not smaller, never below that of a smaller p. */
export function holm(pValues: readonly number[]): number[] {
  const adjusted: number[] = [];
  let highest = 0;
  ascending(pValues).forEach((index, rank) => {
    highest = Math.max(highest, (pValues.length - rank) * pValues[index]!);
    adjusted[index] = Math.min(highest, 1);
  });
  return adjusted;
}

/**
 * Benjamini, Hochberg and Yekutieli as Harvey and Liu have it, in paper and program: the largest
 * p is left as it is, and the others are `M c(M) / rank` of theirs, never above that of a larger.
 */
export function harveyLiuBhy(pValues: readonly number[]): number[] {
  return stepUp(pValues, (p, rank) => (rank === pValues.length ? p : scaled(p, rank, pValues)));
}

/** Benjamini and Yekutieli, Annals of Statistics 29(4), 2001: the largest p is scaled as well. */
export function benjaminiYekutieli(pValues: readonly number[]): number[] {
  return stepUp(pValues, (p, rank) => scaled(p, rank, pValues));
}

function scaled(p: number, rank: number, { length }: readonly number[]): number {
  let harmonic = 0; // c(M)
  for (let k = 1; k <= length; k++) harmonic += 1 / k;
  return (length * harmonic * p) / rank;
}

/** From the largest p down: each at most the adjusted one above it. Ranks count from 1. */
function stepUp(pValues: readonly number[], adjust: (p: number, rank: number) => number): number[] {
  const order = ascending(pValues);
  const adjusted: number[] = [];
  let lowest = 1;
  for (let k = order.length - 1; k >= 0; k--) {
    const index = order[k]!;
    lowest = Math.min(lowest, adjust(pValues[index]!, k + 1));
    adjusted[index] = lowest;
  }
  return adjusted;
}

/** Positions of the p-values, smallest first. */
function ascending(pValues: readonly number[]): number[] {
  return Array.from(pValues.keys()).sort((a, b) => pValues[a]! - pValues[b]!);
}
