import { mean } from "../sample-statistics.ts";
import { randomBelow, seededRandom } from "../overfitting/seeded-random.ts";

/** Means of returns this close together differ by rounding alone. */
const ROUNDING = 1e-15;

/**
 * The p-values of "the best of the variants is no better than cash" by mean returns: White's reality check
 * (Econometrica 68, 2000) and Hansen's test for superior predictive ability (J. of Business and Economic Statistics 23,
 * 2005), as the Python package `arch` 8 computes them. `white` is its `upper`, which recentres every variant, and
 * `hansen` its `consistent`, which recentres those whose mean isn't below `-sqrt(2 ln ln T x variance / T)`. The
 * variance is that under the stationary bootstrap (Politis and Romano 1994). A p-value is the share of draws above the
 * observed maximum.
 *
 * `arch` calls this studentised but uses the variances for that threshold only: the maxima are of plain means.
 */
export function realityCheck(
  columns: readonly Float64Array[],
  input: {
    readonly blockLength: number;
    readonly draws: number;
    readonly seed: number;
    readonly onVariant?: (done: number) => void;
  },
) {
  const { blockLength, draws, seed, onVariant } = input;
  const bars = columns[0]?.length ?? 0;
  const resamples = stationaryBlocks({ bars, blockLength, draws, seed });
  const prefix = new Float64Array(bars);
  const upper = new Float64Array(draws).fill(-Infinity);
  const consistent = upper.slice();
  const above =
    columns.reduce((most, column) => Math.max(most, mean(column)), -Infinity) + ROUNDING;
  for (const [variant, column] of columns.entries()) {
    const centre = mean(column);
    const variance = Math.max(0, stationaryVariance(column, blockLength));
    const isRelevant = centre >= -Math.sqrt((variance / bars) * 2 * Math.log(Math.log(bars)));
    const recentred = isRelevant ? 0 : centre;
    sumPrefixes(column, centre, prefix);
    for (let draw = 0; draw < draws; draw++) {
      if (consistent[draw]! > above) continue; // it counts already, in both
      const shifted = sumOfDraw(resamples, draw, prefix) / bars;
      if (shifted > upper[draw]!) upper[draw] = shifted;
      if (shifted + recentred > consistent[draw]!) consistent[draw] = shifted + recentred;
    }
    onVariant?.(variant + 1);
  }
  const share = (maxima: Float64Array) => maxima.filter((value) => value > above).length / draws;
  return { white: share(upper), hansen: share(consistent) };
}

/**
 * The rows at which the circular blocks of each draw begin and end. Block lengths are geometric with mean `blockLength`,
 * and the blocks of a draw have as many rows as there are bars. A row at which one block ends and another begins is
 * left out of both lists, and so is going once around, since deviations from the mean add up to 0. The lists of a draw
 * begin at its place in `firsts`.
 */
function stationaryBlocks(input: {
  bars: number;
  blockLength: number;
  draws: number;
  seed: number;
}) {
  const { bars, blockLength, draws } = input;
  const random = seededRandom(input.seed, 2);
  const starts: number[] = [];
  const ends: number[] = [];
  const firsts = new Int32Array(draws + 1);
  const surplus = new Int32Array(bars); // of ends over starts, at each row
  const logContinue = Math.log1p(-1 / blockLength);
  for (let draw = 0; draw < draws; draw++) {
    surplus.fill(0);
    for (let left = bars; left > 0;) {
      const drawn = 1 + Math.floor(Math.log(1 - random()) / logContinue);
      const length = Math.min(left, blockLength > 1 ? drawn : 1);
      const start = randomBelow(bars, random);
      surplus[start]!--;
      surplus[(start + length) % bars]!++;
      left -= length;
    }
    for (let row = 0; row < bars; row++) {
      for (let count = surplus[row]!; count > 0; count--) ends.push(row);
      for (let count = surplus[row]!; count < 0; count++) starts.push(row);
    }
    firsts[draw + 1] = starts.length;
  }
  const Rows = bars <= 2 ** 16 ? Uint16Array : Int32Array; // they are read once for each variant
  return { starts: Rows.from(starts), ends: Rows.from(ends), firsts };
}

/** Writes the sum of the deviations from the mean before each row. */
function sumPrefixes(column: Float64Array, centre: number, out: Float64Array): void {
  for (let row = 0; row + 1 < out.length; row++) out[row + 1] = out[row]! + column[row]! - centre;
}

/** The sum over a draw's blocks, four at a time because a processor adds to independent sums at once. */
function sumOfDraw(
  { starts, ends, firsts }: ReturnType<typeof stationaryBlocks>,
  draw: number,
  prefix: Float64Array,
): number {
  const end = firsts[draw + 1]!;
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  let block = firsts[draw]!;
  for (; block + 3 < end; block += 4) {
    one += prefix[ends[block]!]! - prefix[starts[block]!]!;
    two += prefix[ends[block + 1]!]! - prefix[starts[block + 1]!]!;
    three += prefix[ends[block + 2]!]! - prefix[starts[block + 2]!]!;
    four += prefix[ends[block + 3]!]! - prefix[starts[block + 3]!]!;
  }
  for (; block < end; block++) one += prefix[ends[block]!]! - prefix[starts[block]!]!;
  return one + two + three + four;
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
