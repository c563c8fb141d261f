/** Whether the picks' figures are better than all, wherever a line is drawn, or at least for whoever fears losses. */
export interface Dominance {
  /** For every x at least as many of the picks are above x, as a share. */
  readonly firstOrder: boolean;
  /**
   * For every x the picks fall short of x by no more on average: weaker than the first order, and enough for everybody who
   * likes more better and a risk less.
   */
  readonly secondOrder: boolean;
  /** Largest amount, in share, by which more of the picks are at or below some x than of all; 0 with dominance of first order. */
  readonly worstExcess: number;
  /** Mean of the picks less mean of all. */
  readonly meanAdvantage: number;
}

/** Areas this small beside the range are rounding. */
const AREA_TOLERANCE = 1e-12;

/**
 * Stochastic dominance of the picks over all that could have been picked: Bailey, Borwein, Lopez de Prado and Zhu, "The
 * Probability of Backtest Overfitting", 2017, section 3, which compares the two distributions out-of-sample. With F the
 * share at or below x, first order is F of the picks <= F of all everywhere; second order is the area between the two, from
 * the left up to x, never negative. Both are exact: the shares change only at the values. Equal samples dominate each
 * other. NaN and infinities are left out; nothing dominates with an empty side.
 */
export function dominanceOf(picks: Float64Array, all: Float64Array): Dominance {
  const [one, other] = [picks, all].map((values) => values.filter(Number.isFinite).sort());
  if (!one?.length || !other?.length) {
    return { firstOrder: false, secondOrder: false, worstExcess: NaN, meanAdvantage: NaN };
  }
  let [below, othersBelow] = [0, 0];
  let x = Math.min(one[0]!, other[0]!);
  let [area, leastArea, worstExcess] = [0, 0, 0];
  while (below < one.length || othersBelow < other.length) {
    const next = Math.min(one[below] ?? Infinity, other[othersBelow] ?? Infinity);
    area += (othersBelow / other.length - below / one.length) * (next - x);
    x = next;
    while (one[below] === x) below++;
    while (other[othersBelow] === x) othersBelow++;
    leastArea = Math.min(leastArea, area);
    worstExcess = Math.max(worstExcess, below / one.length - othersBelow / other.length);
  }
  const range = x - Math.min(one[0]!, other[0]!);
  return {
    firstOrder: worstExcess === 0,
    secondOrder: leastArea >= -AREA_TOLERANCE * range,
    worstExcess,
    meanAdvantage: area, // the area between two distributions is the difference of their means
  };
}
