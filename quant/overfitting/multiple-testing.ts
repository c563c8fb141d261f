/**
 * p-values adjusted for being several, in the order they are given, cut at 1: Benjamini and Yekutieli, Annals of
 * Statistics 29(4), 2001, which holds for tests of any dependence. From the largest down each is `M c(M) / rank` of
 * itself, never above that of a larger; the largest is scaled as well, which Harvey and Liu (2015) leave as it is.
 */
export function benjaminiYekutieli(pValues: readonly number[]): number[] {
  const count = pValues.length;
  let harmonic = 0; // c(M)
  for (let k = 1; k <= count; k++) harmonic += 1 / k;
  const ascending = Array.from(pValues.keys()).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted: number[] = [];
  let lowest = 1;
  for (let rank = count; rank >= 1; rank--) {
    const index = ascending[rank - 1]!;
    lowest = Math.min(lowest, (count * harmonic * pValues[index]!) / rank);
    adjusted[index] = lowest;
  }
  return adjusted;
}
