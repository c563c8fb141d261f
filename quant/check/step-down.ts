/** Hypotheses that are tested together: a statistic for each variant, and its redrawn values. */
export interface FamilyTest {
  /** Observed statistic of each variant; -Infinity where it has none. */
  readonly statistics: Float64Array;
  readonly draws: number;
  /** Writes a variant's statistic in every redrawn sample. All variants share the draws; settled ones may be skipped. */
  readonly redrawn: (variant: number, out: Float64Array, settled: Uint8Array) => void;
}

/** Statistics, which are a few standard errors in size, are tied where they differ by no more than rounding. */
const ROUNDING = 1e-10;

/**
 * Adjusted p-values by step-down of "this variant has no edge", for all variants together: Romano and Wolf,
 * "Stepwise Multiple Testing as Formalized Data Snooping", Econometrica 73, 2005; "Efficient computation of
 * adjusted p-values for resampling-based stepdown multiple testing", Statistics and Probability Letters 113,
 * 2016, algorithm 4.2:
 *
 * `p_(j) = max(p_(j-1), (1 + #{draws with max over i >= j of t*_(i) at or above t_(j)}) / (draws + 1))`, t sorted
 * descending.
 *
 * The variants are taken from the smallest statistic up, so one running maximum per draw is enough. A draw whose
 * maximum has reached the largest statistic counts for every variant that is left: it is settled. `luck` makes the
 * maxima that the p-value of the `watched` variant counts, each less that variant's statistic.
 */
export function stepDown(test: FamilyTest, watched = -1, onVariant?: (done: number) => void) {
  const { statistics, draws, redrawn } = test;
  const ascending = Array.from(statistics, (_, variant) => variant).sort(
    (a, b) => statistics[a]! - statistics[b]! || a - b,
  );
  const highest = new Float64Array(draws).fill(-Infinity);
  const values = new Float64Array(draws);
  const settled = new Uint8Array(draws);
  const top = statistics.reduce((most, value) => Math.max(most, value), -Infinity) - ROUNDING;
  const pValues = new Float64Array(statistics.length);
  let seen = { maxima: new Float64Array(), settled: new Uint8Array() };
  for (const [done, variant] of ascending.entries()) {
    redrawn(variant, values, settled);
    onVariant?.(done + 1);
    const observed = statistics[variant]! - ROUNDING;
    let reached = 0;
    for (let draw = 0; draw < draws; draw++) {
      if (values[draw]! > highest[draw]!) highest[draw] = values[draw]!;
      if (highest[draw]! >= observed) reached++;
      if (highest[draw]! >= top) settled[draw] = 1;
    }
    pValues[variant] = (1 + reached) / (draws + 1);
    if (variant === watched) seen = { maxima: highest.slice(), settled: settled.slice() };
  }
  let floor = 0;
  for (const variant of ascending.toReversed()) {
    floor = Math.max(floor, pValues[variant]!);
    pValues[variant] = floor;
  }
  const upTo = ascending.slice(0, ascending.indexOf(watched) + 1);
  const luck = () =>
    completed(test, upTo, seen).map((value) => value - (statistics[watched] ?? NaN));
  return { pValues, luck };
}

/** The maxima over some variants, with those of settled draws made up for. */
function completed(
  { redrawn }: FamilyTest,
  variants: readonly number[],
  { maxima, settled }: { readonly maxima: Float64Array; readonly settled: Uint8Array },
): Float64Array {
  const whole = maxima.slice();
  const values = new Float64Array(maxima.length);
  const known = settled.map((is) => 1 - is);
  for (const variant of variants) {
    redrawn(variant, values, known);
    for (let draw = 0; draw < whole.length; draw++)
      if (known[draw] === 0 && values[draw]! > whole[draw]!) whole[draw] = values[draw]!;
  }
  return whole;
}
