import { halfMasks, sumBlocks } from "./cscv-blocks.ts";
import { isFlat, measure } from "./cscv.ts";

/** Neighbouring columns, `from` inclusive to `to` exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What a pick's rank in the other half says, in halves of a split: overfit, on the middle, or not. */
const OVERFIT = 2;
const ON_THE_MIDDLE = 1;
const NOT_OVERFIT = 0;

/**
 * Probability of backtest overfitting of several sets of the same columns, each what `cscv` gives
 * for the set alone, to the bit. Every half of the rows is measured once for all sets instead of
 * once for each, and nothing but the probability is kept: the index takes 23 of them for each coin
 * and month, the dataset for each coin. NaN for a set with fewer than two columns that are not flat.
 */
export function pboOfRanges(
  columns: readonly Float64Array[],
  blocks: number,
  ranges: readonly Range[],
): Float64Array {
  const rows = (columns[0]?.length ?? 0) - ((columns[0]?.length ?? 0) % blocks);
  const varies = columns.map((column) => !isFlat(column.subarray(column.length - rows)));
  const varying = columns.filter((_, column) => varies[column]);
  const before = (end: number) => varies.slice(0, end).filter((moves) => moves).length;
  const sets = ranges
    .map(({ from, to }) => ({ from: before(from), to: before(to) }))
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
  return tally.overfit.map((halves, set) => halves / 2 / tally.splits[set]!); // 0 / 0 for no set
}

/** The columns cut wherever a set begins or ends: sets that hold each other share their parts' bests. */
interface Pieces {
  /** First column of each piece; the last entry is the end of the last. */
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
  /** Splits with a pick, and twice those of them that count as overfit; a tie counts once. */
  readonly tally: { readonly overfit: Float64Array; readonly splits: Float64Array };
}

/** Picks each set's best of one half, the first of equals, and ranks it in the other. */
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
    tally.overfit[set]! += standing(outOfSample, sets[set]!, pick);
  }
}

/** Column of the largest measure, the first of equals. */
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
 * Which side of the middle the column ranks on within its range. Its mean rank is
 * (N + 1 + worse - better) / 2; a column that is flat in the half counts as overfit. Comparisons
 * become numbers because they are coin flips, which a branch would guess wrong half the time; equals
 * are counted only where they could decide, the column itself being one.
 */
function standing(measures: Float64Array, { from, to }: Range, picked: number): number {
  const value = measures[picked]!;
  if (value === -Infinity) return OVERFIT;
  let worse = 0;
  for (let column = from; column < to; column++) worse += Number(measures[column]! < value);
  const missing = to - from - 2 * worse; // equals that put it on the middle
  if (missing < 1) return NOT_OVERFIT;
  let equal = 0;
  for (let column = from; column < to; column++) {
    const other = measures[column]!;
    equal += Number(other === value);
  }
  if (equal === missing) return ON_THE_MIDDLE;
  return equal < missing ? OVERFIT : NOT_OVERFIT;
}
