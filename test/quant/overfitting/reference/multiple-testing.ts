/**
 * p-values adjusted for being several, in the order they are given, cut at 1: what the published examples have beside the
 * adjustment of Benjamini and Yekutieli that the dataset takes. Harvey and Liu, "Backtesting", 2015, pp. 15-17.
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
  const count = pValues.length;
  const harmonic = pValues.reduce((sum, _, k) => sum + 1 / (k + 1), 0); // c(M)
  const adjusted: number[] = [];
  let lowest = 1;
  ascending(pValues)
    .toReversed()
    .forEach((index, above) => {
      const p = pValues[index]!;
      lowest = Math.min(lowest, above === 0 ? p : (count * harmonic * p) / (count - above));
      adjusted[index] = lowest;
    });
  return adjusted;
}

/** Positions of the p-values, smallest first. */
function ascending(pValues: readonly number[]): number[] {
  return Array.from(pValues.keys()).sort((a, b) => pValues[a]! - pValues[b]!);
}
