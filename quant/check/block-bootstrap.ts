import { randomBelow, seededRandom } from "../overfitting/seeded-random.ts";
import { mean, variance } from "../sample-statistics.ts";
import { blockSums } from "./sign-flips.ts";
import type { FamilyTest } from "./step-down.ts";

/**
 * The studentised circular block bootstrap of whole rows: `t = SR / SE` and `t* = (SR* - SR) / SE*`, both standard
 * errors by the variance of block sums of the influence function `psi = z - SR/2 (z^2 - 1)`, computed anew in
 * each resample. Politis and Romano 1992 (circular blocks); Gotze and Kunsch, Annals of Statistics 24, 1996
 * (the block variance studentises the block bootstrap); Ledoit and Wolf, "Robust performance hypothesis testing
 * with the Sharpe ratio", J. of Empirical Finance 15, 2008.
 *
 * psi is linear in r and r^2, so a resample needs only both sums over its blocks, which are made once for every
 * start. A resample has as many whole blocks as fit into the rows. A variant that is flat in a resample has no
 * statistic there (-Infinity).
 */
export function blockBootstrapTest(
  columns: readonly Float64Array[],
  { blockLength, draws, seed }: { blockLength: number; draws: number; seed: number },
): FamilyTest {
  const bars = columns[0]?.length ?? 0;
  const blocks = Math.floor(bars / blockLength);
  const random = seededRandom(seed, 1);
  const starts = Int32Array.from({ length: draws * blocks }, () => 2 * randomBelow(bars, random));
  const shape = { blockLength, blocks, draws };
  const sums = new Float64Array(2 * bars);
  return {
    draws,
    statistics: Float64Array.from(columns, (column) => observedStatistic(column, blockLength)),
    redrawn(variant, out, settled) {
      const column = columns[variant]!;
      const centre = mean(column);
      const spread = variance(column);
      sumStarts({ column, centre, spread, blockLength }, sums);
      redraw({ ...shape, centre, spread, sums, starts, settled }, out);
    },
  };
}

/** SR / SE of the rows as they are, in consecutive blocks; -Infinity for a series without spread. */
function observedStatistic(column: Float64Array, blockLength: number): number {
  const centre = mean(column);
  const deviation = Math.sqrt(variance(column));
  const sharpe = centre / deviation;
  const psi = column.map((value) => {
    const z = (value - centre) / deviation;
    return z - (sharpe / 2) * (z * z - 1);
  });
  let squares = 0;
  for (const sum of blockSums(psi, blockLength)) squares += sum * sum;
  return squares > 0 ? (sharpe * column.length) / Math.sqrt(squares) : -Infinity;
}

/**
 * For every start, the sums over the circular block there of x = r - mean and of x^2 less the variance, side by
 * side. Each is added up anew, so none carries the rounding of another.
 */
function sumStarts(
  input: { column: Float64Array; centre: number; spread: number; blockLength: number },
  out: Float64Array,
): void {
  const { column, centre, spread, blockLength } = input;
  const bars = column.length;
  for (let start = 0; start < bars; start++) {
    let sum = 0;
    let squares = 0;
    for (let step = 0, row = start; step < blockLength; step++) {
      const x = column[row]! - centre;
      sum += x;
      squares += x * x - spread;
      row = row + 1 === bars ? 0 : row + 1;
    }
    out[2 * start] = sum;
    out[2 * start + 1] = squares;
  }
}

interface Resamples {
  readonly blockLength: number;
  readonly blocks: number;
  readonly draws: number;
  readonly centre: number;
  readonly spread: number;
  readonly sums: Float64Array;
  /** Twice the row at which each block of each draw starts. */
  readonly starts: Int32Array;
  readonly settled: Uint8Array;
}

function redraw(resamples: Resamples, out: Float64Array): void {
  const { blocks, draws, sums, starts, settled } = resamples;
  for (let draw = 0; draw < draws; draw++) {
    if (settled[draw] === 1) continue;
    const end = (draw + 1) * blocks;
    // Over the blocks of the resample: both block sums, their squares and their product.
    let a = 0;
    let b = 0;
    let aa = 0;
    let ab = 0;
    let bb = 0;
    for (let at = end - blocks; at < end; at++) {
      const sum = sums[starts[at]!]!;
      const squares = sums[starts[at]! + 1]!;
      a += sum;
      b += squares;
      aa += sum * sum;
      ab += sum * squares;
      bb += squares * squares;
    }
    out[draw] = resampledStatistic(resamples, { a, b, aa, ab, bb });
  }
}

/**
 * The resample's `(SR' - SR) / SE'`. With m the resample's mean of x and s its deviation, the sum of psi over a block
 * of L rows is `A sum + B squares + C`, where `B = -SR' / (2 s^2)`, `A = 1/s - 2 B m` and C is constant.
 */
function resampledStatistic(
  { blockLength, blocks, centre, spread }: Resamples,
  { a, b, aa, ab, bb }: Readonly<Record<"a" | "b" | "aa" | "ab" | "bb", number>>,
): number {
  const rows = blockLength * blocks;
  const shift = a / rows;
  const square = ((b / rows + spread - shift * shift) * rows) / (rows - 1);
  if (!(square > spread * 1e-12)) return -Infinity;
  const deviation = Math.sqrt(square);
  const sharpe = (centre + shift) / deviation;
  const ofSquares = -sharpe / (2 * square);
  const ofSum = 1 / deviation - 2 * ofSquares * shift;
  const constant =
    blockLength * (ofSquares * (shift * shift + spread) - shift / deviation + sharpe / 2);
  const total =
    ofSum * ofSum * aa +
    ofSquares * ofSquares * bb +
    2 * ofSum * ofSquares * ab +
    2 * constant * (ofSum * a + ofSquares * b) +
    blocks * constant * constant;
  if (!(total > 0)) return -Infinity;
  return ((sharpe - centre / Math.sqrt(spread)) * rows) / Math.sqrt(total);
}
