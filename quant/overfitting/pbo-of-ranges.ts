import { halfMasks, sumBlocks } from "./cscv-blocks.ts";
import { isFlat, measure } from "./cscv.ts";

/** Neighbouring columns, `from` inclusive to `to` exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Probability of backtest overfitting of several sets of the same columns, each equal to the bit to what
 * `cscv` gives for that set alone, as long as variants that tie have the same floats, as the engine's do. Every half of the rows is measured once for all sets. NaN for a set with
 * fewer than two columns that are not flat.
 */
export function pboOfRanges(
  columns: readonly Float64Array[],
  blocks: number,
  ranges: readonly Range[],
): Float64Array {
  const rows = columns[0]?.length ?? 0;
  const first = rows % blocks; // the oldest rows, which fill no block, are left out
  const varying: Float64Array[] = [];
  const before = columns.map((column) => {
    const count = varying.length;
    if (!isFlat(column, first, rows)) varying.push(column);
    return count;
  });
  before.push(varying.length);
  const sets = ranges
    .map(({ from, to }) => ({ from: before[from]!, to: before[to]! }))
    .map(({ from, to }) => (to - from < 2 ? { from: 0, to: 0 } : { from, to }));
  if (varying.length < 2) return new Float64Array(ranges.length).fill(NaN);
  const sums = sumBlocks(varying, blocks);
  const half = new Float64Array(varying.length);
  const complement = new Float64Array(varying.length);
  const pieces = piecesOf(sets);
  const bests = new Int32Array(pieces.starts.length);
  const tally = { overfit: new Float64Array(sets.length), splits: new Float64Array(sets.length) };
  const all = 2 ** blocks - 1;
  for (const mask of halfMasks(blocks)) {
    measure(sums, mask, half);
    measure(sums, all ^ mask, complement);
    addSplit({ sets, pieces, bests, tally }, half, complement);
    addSplit({ sets, pieces, bests, tally }, complement, half);
  }
  return tally.overfit.map((halves, set) => halves / 2 / tally.splits[set]!); // NaN for an empty set
}

/** The columns cut wherever a set begins or ends, so that overlapping sets share the bests of their pieces. */
interface Pieces {
  /** First column of each piece; the last entry is the end of the last piece. */
  readonly starts: Int32Array;
  /** Pieces of each set, `first` inclusive to `last` exclusive. */
  readonly first: Int32Array;
  readonly last: Int32Array;
}

function piecesOf(sets: readonly Range[]): Pieces {
  const cuts = new Set(sets.flatMap(({ from, to }) => [from, to]));
  const starts = Int32Array.from(cuts).sort();
  return {
    starts,
    first: Int32Array.from(sets, ({ from }) => starts.indexOf(from)),
    last: Int32Array.from(sets, ({ to }) => starts.indexOf(to)),
  };
}

interface Work {
  readonly sets: readonly Range[];
  readonly pieces: Pieces;
  /** Column of the largest measure of each piece. */
  readonly bests: Int32Array;
  /** Splits that had a pick, and twice the overfit ones, so that a tie adds 1. */
  readonly tally: { readonly overfit: Float64Array; readonly splits: Float64Array };
}

/** Picks each set's best in one half, the first on a tie, and ranks it in the other. */
function addSplit(
  { sets, pieces, bests, tally }: Work,
  inSample: Float64Array,
  outOfSample: Float64Array,
): void {
  const { starts, first, last } = pieces;
  for (let piece = 0; piece + 1 < starts.length; piece++) {
    bests[piece] = bestOf(inSample, starts[piece]!, starts[piece + 1]!);
  }
  for (let set = 0; set < sets.length; set++) {
    let pick = -1;
    let most = -Infinity;
    for (let piece = first[set]!; piece < last[set]!; piece++) {
      const value = inSample[bests[piece]!]!;
      if (value > most) {
        most = value;
        pick = bests[piece]!;
      }
    }
    if (pick < 0) continue;
    tally.splits[set]!++;
    tally.overfit[set]! += overfitOf(outOfSample, sets[set]!, pick);
  }
}

/** Column of the largest measure, the first on a tie. */
function bestOf(measures: Float64Array, from: number, to: number): number {
  let best = from;
  let most = measures[from]!;
  for (let column = from + 1; column < to; column++) {
    const value = measures[column]!;
    if (value > most) {
      most = value;
      best = column;
    }
  }
  return best;
}

/**
 * 2 if the picked column ranks below the middle of its set or is flat in the half, 1 if on the middle, else
 * 0. Its mean rank is (N + 1 + worse - better) / 2.
 */
function overfitOf(measures: Float64Array, { from, to }: Range, pick: number): number {
  const picked = measures[pick]!;
  if (picked === -Infinity) return 2;
  let lead = 0;
  for (let column = from; column < to; column++) {
    const other = measures[column]!;
    lead += Number(other < picked) - Number(other > picked);
  }
  return 1 - Math.sign(lead);
}
