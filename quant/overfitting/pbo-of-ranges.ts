import { halfMasks, sumBlocks } from "./cscv-blocks.ts";
import { isFlat, measure } from "./cscv.ts";

/** Neighbouring columns, `from` inclusive to `to` exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Probability of backtest overfitting of several sets of the same columns; NaN for a set with fewer than two
 * columns that are not flat. Every half of the rows is measured once for all sets. Each figure equals that of
 * `cscv` on the set alone to the bit, as long as variants that tie have the same floats, as the engine's do.
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
  if (varying.length < 2) return new Float64Array(ranges.length).fill(NaN);
  const sets = ranges
    .map(({ from, to }) => ({ from: before[from]!, to: before[to]! }))
    .map(({ from, to }) => (to - from < 2 ? { from: 0, to: 0 } : { from, to }));
  const sums = sumBlocks(varying, blocks);
  const half = new Float64Array(varying.length);
  const complement = new Float64Array(varying.length);
  const work = workOf(sets);
  const all = 2 ** blocks - 1;
  for (const mask of halfMasks(blocks)) {
    measure(sums, mask, half);
    measure(sums, all ^ mask, complement);
    addSplit(work, half, complement);
    addSplit(work, complement, half);
  }
  return work.overfit.map((halves, set) => halves / 2 / work.splits[set]!); // NaN for an empty set
}

function workOf(sets: readonly Range[]) {
  // The columns are cut wherever a set begins or ends, so that overlapping sets share the bests of their pieces.
  const starts = Int32Array.from(new Set(sets.flatMap(({ from, to }) => [from, to]))).sort();
  return {
    sets,
    /** First column of each piece; the last entry is the end of the last piece. */
    starts,
    /** Pieces of each set, `first` inclusive to `last` exclusive. */
    first: Int32Array.from(sets, ({ from }) => starts.indexOf(from)),
    last: Int32Array.from(sets, ({ to }) => starts.indexOf(to)),
    /** Column of the largest measure of each piece. */
    bests: new Int32Array(starts.length),
    /** For each set, the splits that had a pick, and twice the overfit ones, so that a tie adds 1. */
    splits: new Float64Array(sets.length),
    overfit: new Float64Array(sets.length),
  };
}

/** Picks each set's best in one half, the first on a tie, and ranks it in the other. */
function addSplit(
  { sets, starts, first, last, bests, splits, overfit }: ReturnType<typeof workOf>,
  inSample: Float64Array,
  outOfSample: Float64Array,
): void {
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
    splits[set]!++;
    overfit[set]! += overfitOf(outOfSample, sets[set]!, pick);
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
