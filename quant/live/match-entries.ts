/** Most pairs of entries that may be partners; with more, the tolerance is halved. */
const CANDIDATES_MAX = 5_000_000;

/**
 * The one-to-one matching of two ascending lists of times with the largest sum of (tolerance - distance), among pairs
 * that are nearer than the tolerance: places in the first and the second list, ascending in both.
 *
 * For b1 <= b2 and l1 <= l2, |b1 - l1| + |b2 - l2| <= |b1 - l2| + |b2 - l1|, and if the crossed pairs are within the
 * tolerance, so are the uncrossed. So a best matching keeps the order of both lists. It is the heaviest chain of
 * candidate pairs, found with a tree of prefix maxima over the second list (Fenwick 1994) in O(P log n).
 */
export function matchEntries(
  first: Float64Array,
  second: Float64Array,
  tolerance: number,
): [number, number][] {
  let tau = tolerance;
  while (candidates(first, second, tau) > CANDIDATES_MAX) tau /= 2;
  const size = candidates(first, second, tau);
  const [ones, others, parents] = [
    new Int32Array(size),
    new Int32Array(size),
    new Int32Array(size),
  ];
  const weights = new Float64Array(size);
  const tree = new Int32Array(second.length + 1).fill(-1);
  const weightOf = (pair: number) => (pair < 0 ? 0 : weights[pair]!);
  let [pairs, from] = [0, 0];
  for (const [one, time] of first.entries()) {
    while (from < second.length && second[from]! <= time - tau) from++;
    let end = from;
    while (end < second.length && second[end]! < time + tau) end++;
    // From the last to the first, so that no chain has an entry of the first list twice.
    for (let other = end - 1; other >= from; other--) {
      let best = -1;
      for (let at = other; at > 0; at -= at & -at)
        if (weightOf(tree[at]!) > weightOf(best)) best = tree[at]!;
      ones[pairs] = one;
      others[pairs] = other;
      parents[pairs] = best;
      weights[pairs] = weightOf(best) + tau - Math.abs(second[other]! - time);
      for (let at = other + 1; at < tree.length; at += at & -at)
        if (weights[pairs]! > weightOf(tree[at]!)) tree[at] = pairs;
      pairs++;
    }
  }
  let last = -1;
  for (let at = second.length; at > 0; at -= at & -at)
    if (weightOf(tree[at]!) > weightOf(last)) last = tree[at]!;
  const chain: [number, number][] = [];
  for (; last >= 0; last = parents[last]!) chain.push([ones[last]!, others[last]!]);
  return chain.toReversed();
}

/** How many pairs are nearer than the tolerance. */
function candidates(first: Float64Array, second: Float64Array, tau: number): number {
  let [from, end, count] = [0, 0, 0];
  for (const time of first) {
    while (from < second.length && second[from]! <= time - tau) from++;
    while (end < second.length && second[end]! < time + tau) end++;
    count += Math.max(0, end - from);
  }
  return count;
}
