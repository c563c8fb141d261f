import { mean } from "../sample-statistics.ts";
import { randomBelow, seededRandom } from "../overfitting/seeded-random.ts";

/** The two p-values of "the best of the variants is no better than cash" by mean returns. */
export interface RealityCheck {
  readonly white: number;
  readonly hansen: number;
}

/** Means of returns this close together differ by rounding alone. */
const ROUNDING = 1e-15;

/**
 * White's reality check (Econometrica 68, 2000) and Hansen's test for superior predictive ability (J. of Business
 * and Economic Statistics 23, 2005) on mean returns against 0, as the Python package `arch` 8 computes them: `white`
 * is its `upper`, which recentres every variant, `hansen` its `consistent`, which recentres those whose mean isn't
 * below `-sqrt(2 ln ln T x variance / T)`. The variance is that under the stationary bootstrap (Politis and Romano
 * 1994). A p-value is the share of draws above the observed maximum.
 *
 * `arch` calls this studentised, but uses the variances for that threshold only: the maxima are of plain means.
 */
export function realityCheck(
  columns: readonly Float64Array[],
  of: {
    readonly blockLength: number;
    readonly draws: number;
    readonly seed: number;
    readonly onVariant?: (done: number) => void;
  },
): RealityCheck {
  const { blockLength, draws, seed, onVariant } = of;
  const bars = columns[0]?.length ?? 0;
  const resamples = stationaryBlocks({ bars, blockLength, draws, seed });
  const prefix = new Float64Array(2 * bars + 1);
  const [upper, consistent] = [0, 1].map(() => new Float64Array(draws).fill(-Infinity)) as [
    Float64Array,
    Float64Array,
  ];
  let observed = -Infinity;
  for (const [variant, column] of columns.entries()) {
    const centre = mean(column);
    const variance = Math.max(0, stationaryVariance(column, blockLength));
    const isRelevant = centre >= -Math.sqrt((variance / bars) * 2 * Math.log(Math.log(bars)));
    const recentred = isRelevant ? 0 : centre;
    observed = Math.max(observed, centre);
    sumPrefixes(column, centre, prefix);
    for (let draw = 0; draw < draws; draw++) {
      const shifted = sumOfDraw(resamples, draw, prefix) / bars;
      if (shifted > upper[draw]!) upper[draw] = shifted;
      if (shifted + recentred > consistent[draw]!) consistent[draw] = shifted + recentred;
    }
    onVariant?.(variant + 1);
  }
  const above = observed + ROUNDING;
  const share = (maxima: Float64Array) => maxima.filter((value) => value > above).length / draws;
  return { white: share(upper), hansen: share(consistent) };
}

interface StationaryBlocks {
  /** Row at which each block starts, and the row behind its end, counted on past the last row. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Where each draw's blocks begin; one more at the end. */
  readonly firsts: Int32Array;
}

/** Circular blocks of geometric length, mean `blockLength`; a draw's blocks have as many rows as there are bars. */
function stationaryBlocks(of: {
  bars: number;
  blockLength: number;
  draws: number;
  seed: number;
}): StationaryBlocks {
  const random = seededRandom(of.seed, 2);
  const starts: number[] = [];
  const ends: number[] = [];
  const firsts = new Int32Array(of.draws + 1);
  const logContinue = Math.log1p(-1 / of.blockLength);
  for (let draw = 0; draw < of.draws; draw++) {
    for (let left = of.bars; left > 0;) {
      const drawn = 1 + Math.floor(Math.log(1 - random()) / logContinue);
      const length = Math.min(left, of.blockLength > 1 ? drawn : 1);
      const start = randomBelow(of.bars, random);
      starts.push(start);
      ends.push(start + length);
      left -= length;
    }
    firsts[draw + 1] = starts.length;
  }
  return { starts: Int32Array.from(starts), ends: Int32Array.from(ends), firsts };
}

/** Running sums of the deviations from the mean, twice around. */
function sumPrefixes(column: Float64Array, centre: number, out: Float64Array): void {
  for (let row = 0; row + 1 < out.length; row++) {
    out[row + 1] = out[row]! + column[row % column.length]! - centre;
  }
}

function sumOfDraw(of: StationaryBlocks, draw: number, prefix: Float64Array): number {
  const { starts, ends, firsts } = of;
  let sum = 0;
  for (let block = firsts[draw]!; block < firsts[draw + 1]!; block++) {
    sum += prefix[ends[block]!]! - prefix[starts[block]!]!;
  }
  return sum;
}

/**
 * T times the variance of the mean under the stationary bootstrap, Politis and Romano 1994, lemma 1: the circular
 * autocovariances with weights `(1 - k/T) q^k`, q = 1 - 1/L. The weighted sum over all lags is carried along the
 * rows, since going one row on multiplies every weight `q^k` by q and moves every `k q^k` up by one.
 */
export function stationaryVariance(column: Float64Array, blockLength: number): number {
  const bars = column.length;
  const centre = mean(column);
  const q = 1 - 1 / blockLength;
  const around = q ** bars;
  const at = (row: number) => column[row]! - centre;
  // Sums over the lags 0 to T - 1 of q^k x and of k q^k x, looking back around the circle.
  let plain = 0;
  let counted = 0;
  for (let lag = bars - 1; lag >= 0; lag--) {
    const x = at((bars - lag) % bars);
    plain += q ** lag * x;
    counted += lag * q ** lag * x;
  }
  let total = 0;
  for (let row = 0; row < bars; row++) {
    const x = at(row);
    if (row > 0) {
      counted = q * (counted + plain) - bars * around * x;
      plain = q * plain + x - around * x;
    }
    total += x * (2 * (plain - counted / bars) - x);
  }
  return total / bars;
}
