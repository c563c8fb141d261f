/**
 * p-values adjusted for multiple tests by Benjamini and Yekutieli, Annals of Statistics 29(4), 2001, in the order given:
 * each p times `M c(M) / rank`, `c(M) = 1 + 1/2 + ... + 1/M`, but never above the adjusted value of a larger p, nor
 * above 1. They control the share of false discoveries under any dependence.
 */
export function benjaminiYekutieli(pValues: readonly number[]): number[] {
  const { length } = pValues;
  let harmonic = 0;
  for (let k = 1; k <= length; k++) harmonic += 1 / k;
  const ascending = Array.from(pValues.keys()).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted: number[] = [];
  let lowest = 1;
  for (let rank = length; rank >= 1; rank--) {
    const index = ascending[rank - 1]!;
    lowest = Math.min(lowest, (length * harmonic * pValues[index]!) / rank);
    adjusted[index] = lowest;
  }
  return adjusted;
}
