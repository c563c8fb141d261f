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
  const heaviest = new HeaviestChains(size, second.length);
  let [pair, from] = [0, 0];
  for (const [one, time] of first.entries()) {
    while (from < second.length && second[from]! <= time - tau) from++;
    let end = from;
    while (end < second.length && second[end]! < time + tau) end++;
    // From the last to the first, so that no chain has an entry of the first list twice.
    for (let other = end - 1; other >= from; other--) {
      const before = heaviest.before(other);
      ones[pair] = one;
      others[pair] = other;
      parents[pair] = before;
      heaviest.add(pair, other, heaviest.weightOf(before) + tau - Math.abs(second[other]! - time));
      pair++;
    }
  }
  const chain: [number, number][] = [];
  for (let at = heaviest.before(second.length); at >= 0; at = parents[at]!)
    chain.push([ones[at]!, others[at]!]);
  return chain.toReversed();
}

/** A tree of prefix maxima: the pair that ends the heaviest chain before a place of the second list. */
class HeaviestChains {
  readonly #weights: Float64Array;
  readonly #tree: Int32Array;

  constructor(pairs: number, places: number) {
    this.#weights = new Float64Array(pairs);
    this.#tree = new Int32Array(places + 1).fill(-1);
  }

  /** 0 for no pair, -1. */
  weightOf(pair: number): number {
    return pair < 0 ? 0 : this.#weights[pair]!;
  }

  before(index: number): number {
    let best = -1;
    for (let at = index; at > 0; at -= at & -at)
      if (this.weightOf(this.#tree[at]!) > this.weightOf(best)) best = this.#tree[at]!;
    return best;
  }

  add(pair: number, index: number, weight: number): void {
    this.#weights[pair] = weight;
    for (let at = index + 1; at < this.#tree.length; at += at & -at)
      if (weight > this.weightOf(this.#tree[at]!)) this.#tree[at] = pair;
  }
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
