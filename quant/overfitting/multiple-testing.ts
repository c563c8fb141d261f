/**
 * p-values adjusted for multiple tests, returned in the order given and capped at 1. The first three follow
 * Harvey and Liu, "Backtesting", 2015, pp. 15-17.
 */

/** Bonferroni: each p times the number of tests. Valid under any dependence. */
export function bonferroni(pValues: readonly number[]): number[] {
  return pValues.map((p) => Math.min(pValues.length * p, 1));
}

/**
 * Holm: each p times the number of p-values not smaller than it, but never below the adjusted value of a
 * smaller p.
 */
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
 * Benjamini, Hochberg and Yekutieli as in Harvey and Liu's paper and program: the largest p stays as it is,
 * and each other p becomes `M c(M) / rank` times p, but never above the adjusted value of a larger p.
 */
export function harveyLiuBhy(pValues: readonly number[]): number[] {
  return stepUp(pValues, (p, rank) => (rank === pValues.length ? p : scaled(p, rank, pValues)));
}

/** Benjamini and Yekutieli, Annals of Statistics 29(4), 2001: the largest p is scaled too. */
export function benjaminiYekutieli(pValues: readonly number[]): number[] {
  return stepUp(pValues, (p, rank) => scaled(p, rank, pValues));
}

function scaled(p: number, rank: number, { length }: readonly number[]): number {
  let harmonic = 0; // c(M)
  for (let k = 1; k <= length; k++) harmonic += 1 / k;
  return (length * harmonic * p) / rank;
}

/** Works down from the largest p; each value is capped by the adjusted one above it. Ranks count from 1. */
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
