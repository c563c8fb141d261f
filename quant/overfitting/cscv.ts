import type { BlockSums } from "./cscv-blocks.ts";
import { halfMasks, sumBlocks } from "./cscv-blocks.ts";
import { dominanceOf } from "./dominance.ts";
import { linearFit } from "./linear-fit.ts";

/** C(20, 10) is 184,756 splits. More blocks would fit into a mask, but take too long. */
const BLOCKS_MAX = 20;

export type Cscv = ReturnType<typeof cscv>;

/**
 * What combinatorially symmetric cross-validation says about picking the best of several columns of returns
 * over the same bars: Bailey, Borwein, Lopez de Prado and Zhu, "The Probability of Backtest Overfitting", J. of
 * Computational Finance 20(4), 2017 (SSRN 2326253).
 *
 * Conventions:
 * - The rows are cut into `blocks` equal blocks. The oldest rows, which fill no block, are left out (as in
 *   pypbo).
 * - The measure is the Sharpe ratio. On a tie the first column is the pick, and tied Sharpes share their
 *   mean rank. Sharpes that differ by rounding alone are tied.
 * - The logit of rank r among N columns has the sign of 2r - (N + 1).
 * - Columns that are flat over all rows are dropped first. A column that is flat in one half has no Sharpe
 *   there: it is never picked and ranks below every column that has one. A pick that is flat in the other
 *   half counts as overfit, not as a loss, and isn't a point of the regression. A split without any Sharpe in
 *   its own half is not counted.
 * - Fewer than two columns that vary have no splits, and NaN for every figure.
 *
 * Each half is measured once: it is in-sample for one split and out-of-sample for the complementary one.
 */
export function cscv(columns: readonly Float64Array[], blocks: number) {
  checkShape(columns, blocks);
  const rows = columns[0]!.length - (columns[0]!.length % blocks);
  const varying = columns.filter((column) => !isFlat(column, column.length - rows, column.length));
  const masks = varying.length < 2 ? new Int32Array() : halfMasks(blocks);
  const tally = emptyTally({
    splits: 2 * masks.length,
    columns: varying.length,
    halfRows: rows / 2,
  });
  if (masks.length === 0) return resultOf(tally, varying.length, rows);
  const sums = sumBlocks(varying, blocks);
  const all = 2 ** blocks - 1;
  const half = new Float64Array(varying.length);
  const complement = new Float64Array(varying.length);
  for (const mask of masks) {
    measure(sums, mask, half);
    measure(sums, all ^ mask, complement);
    addSplit(tally, half, complement);
    addSplit(tally, complement, half);
  }
  return resultOf(tally, varying.length, rows);
}

function checkShape(columns: readonly Float64Array[], blocks: number): void {
  if (!Number.isInteger(blocks) || blocks % 2 !== 0 || blocks < 2 || blocks > BLOCKS_MAX) {
    throw new RangeError(
      `CSCV needs an even number of blocks from 2 to ${BLOCKS_MAX}, got ${blocks}`,
    );
  }
  const rows = columns[0]?.length ?? 0;
  if (rows < 2 * blocks) {
    throw new RangeError(`CSCV needs at least two rows a block, got ${rows} for ${blocks} blocks`);
  }
  if (columns.some((column) => column.length !== rows)) {
    throw new RangeError("CSCV needs columns of equal length");
  }
}

/** Whether the returns of some rows are equal to the last bit: such a column has no Sharpe. */
export function isFlat(returns: Float64Array, from: number, to: number): boolean {
  const first = returns[from]!;
  for (let row = from + 1; row < to; row++) if (returns[row] !== first) return false;
  return !Number.isNaN(first);
}

/** A measure within this distance of a constant return's measure, 1, counts as flat. */
const FLAT_TOLERANCE = 1e-12;

/**
 * Writes `sum |sum| / squares / n` of each column over the half: a signed squared cosine from -1 to 1, which
 * rises with the Sharpe. Minus infinity means no Sharpe. The order of operations matters: columns with a
 * single return in the half have equal Sharpes, and in this order equal measures too.
 */
export function measure(blockSums: BlockSums, mask: number, out: Float64Array): void {
  const { lowerBlocks, blockLength } = blockSums;
  const { sums: lowerSums, squares: lowerSquares } = blockSums.lower;
  const { sums: upperSums, squares: upperSquares } = blockSums.upper;
  const share = 1 / (lowerBlocks * blockLength);
  let lowerAt = (mask & ((1 << lowerBlocks) - 1)) * out.length;
  let upperAt = (mask >>> lowerBlocks) * out.length;
  let flat = 0;
  for (let column = 0; column < out.length; column++, lowerAt++, upperAt++) {
    const sum = lowerSums[lowerAt]! + upperSums[upperAt]!;
    const squares = lowerSquares[lowerAt]! + upperSquares[upperAt]!;
    const cosine = ((sum * Math.abs(sum)) / squares) * share;
    out[column] = cosine;
    flat += Number(!(Math.abs(cosine) < 1 - FLAT_TOLERANCE)); // true for 0 / 0 too
  }
  for (let column = 0; flat > 0 && column < out.length; column++) {
    if (Math.abs(out[column]!) < 1 - FLAT_TOLERANCE) continue;
    out[column] = -Infinity;
    flat--;
  }
}

/** How far apart two measures may lie by rounding, for one of that size. */
function roundingOf(measure: number): number {
  return measure === -Infinity ? 0 : 1e-12 * Math.abs(measure) + ZERO_WITHIN;
}

/** Squared cosine of returns that add up to 0 but for rounding. */
const ZERO_WITHIN = 1e-26;

type Tally = ReturnType<typeof emptyTally>;

function emptyTally(input: { splits: number; columns: number; halfRows: number }) {
  return {
    splits: 0,
    below: 0,
    onMiddle: 0,
    losses: 0,
    points: 0,
    halfRows: input.halfRows,
    logits: new Float64Array(input.splits),
    /** The picks' per-bar Sharpe ratios; the first `points` of each are set. */
    inSample: new Float64Array(input.splits),
    outOfSample: new Float64Array(input.splits),
    /** Out-of-sample Sharpe ratios of all columns, one row per split; NaN where there is none. */
    all: new Float64Array(input.splits * input.columns),
  };
}

/**
 * Ranks the best column of one half in the other half. The comparisons are added as numbers: their outcome is
 * a coin flip, and mispredicted branches would cost more than all the arithmetic.
 */
function addSplit(tally: Tally, inSample: Float64Array, outOfSample: Float64Array): void {
  let pick = 0;
  let best = inSample[0]!;
  let toBeat = best + roundingOf(best);
  for (let column = 1; column < inSample.length; column++) {
    if (inSample[column]! > toBeat) {
      pick = column;
      best = inSample[column]!;
      toBeat = best + roundingOf(best);
    }
  }
  if (best === -Infinity) return;
  const picked = outOfSample[pick]!;
  const [lower, upper] = [picked - roundingOf(picked), picked + roundingOf(picked)];
  // Columns that rank below the pick minus those above it; the pick's mean rank is (N + 1 + lead) / 2.
  let lead = 0;
  for (let column = 0; column < outOfSample.length; column++) {
    const other = outOfSample[column]!;
    lead += Number(other < lower) - Number(other > upper);
  }
  const row = tally.splits * outOfSample.length;
  for (let column = 0; column < outOfSample.length; column++) {
    tally.all[row + column] = sharpeOfMeasure(outOfSample[column]!, tally.halfRows);
  }
  const ranks = outOfSample.length + 1;
  tally.logits[tally.splits] = Math.log((ranks + lead) / (ranks - lead));
  tally.splits++;
  if (picked === -Infinity) {
    tally.below++;
    return;
  }
  if (lead < 0) tally.below++;
  if (lead === 0) tally.onMiddle++;
  if (picked < -ZERO_WITHIN) tally.losses++;
  tally.inSample[tally.points] = sharpeOfMeasure(best, tally.halfRows);
  tally.outOfSample[tally.points] = sharpeOfMeasure(picked, tally.halfRows);
  tally.points++;
}

function resultOf(tally: Tally, columns: number, rows: number) {
  const { splits, below, onMiddle, losses, points, inSample, outOfSample, all } = tally;
  const picks = outOfSample.subarray(0, points);
  const degradation = linearFit(inSample.subarray(0, points), picks); // dominanceOf sorts the picks
  return {
    /** Splits that had a pick: C(S, S/2), or fewer where no column has a Sharpe in some half. */
    splits,
    /** Columns that were ranked: those that are not flat over the rows used. */
    columns,
    /** Rows used: the newest ones that fill whole blocks. */
    rows,
    /**
     * Probability of backtest overfitting: the share of splits whose pick ranks below the middle of the other
     * half, where a pick exactly in the middle counts as half a split.
     */
    pbo: (below + onMiddle / 2) / splits,
    /** The same with such ties counted in full (logit <= 0), as the paper, R's pbo and pypbo do. */
    pboTiesInFull: (below + onMiddle) / splits,
    /** For each split, `ln(r / (N + 1 - r))` of the pick's mean rank r among N in the other half. */
    logits: tally.logits.subarray(0, splits),
    /** Share of splits whose pick has a negative Sharpe in the other half. */
    probabilityOfLoss: losses / splits,
    /** Regression of the pick's per-bar Sharpe in the other half on its Sharpe in its own half. */
    degradation,
    /** Whether the picks' per-bar Sharpe ratios in the other halves dominate those of all columns there. */
    dominance: dominanceOf(picks, all.subarray(0, splits * columns)),
  };
}

/** Per-bar Sharpe (sample deviation, n - 1) of n returns with that measure; NaN for minus infinity. */
function sharpeOfMeasure(measure: number, count: number): number {
  const size = Math.abs(measure);
  return Math.sign(measure) * Math.sqrt((((count - 1) / count) * size) / (1 - size));
}
