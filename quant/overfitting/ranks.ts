/** Ranks from 1 for the smallest; equal values share the mean of their ranks. No value may be NaN. */
export function averageRanks(values: ArrayLike<number>): Float64Array {
  const sorted = new Float64Array(values).sort();
  const ranks = new Float64Array(values.length);
  for (let index = 0; index < ranks.length; index++) {
    const value = values[index]!;
    const before = countBelow(sorted, value);
    let end = before;
    while (sorted[end] === value) end++;
    ranks[index] = (before + 1 + end) / 2;
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
  const left = new Float64Array(a.length);
  const right = new Float64Array(a.length);
  let pairs = 0;
  for (let index = 0; index < a.length; index++) {
    if (Number.isNaN(a[index]) || Number.isNaN(b[index])) continue;
    left[pairs] = a[index]!;
    right[pairs] = b[index]!;
    pairs++;
  }
  return correlationOfRanks(
    averageRanks(left.subarray(0, pairs)),
    averageRanks(right.subarray(0, pairs)),
  );
}

/** Pearson's correlation of ranks, which are halves of whole numbers, so that every sum is exact in any order. */
function correlationOfRanks(left: Float64Array, right: Float64Array): number {
  const mean = (left.length + 1) / 2;
  let products = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (let index = 0; index < left.length; index++) {
    const x = left[index]! - mean;
    const y = right[index]! - mean;
    products += x * y;
    leftSquares += x * x;
    rightSquares += y * y;
  }
  const freedom = left.length - 1;
  // 0 / 0, which is NaN, where one side does not vary.
  return products / freedom / Math.sqrt(leftSquares / freedom) / Math.sqrt(rightSquares / freedom);
}
