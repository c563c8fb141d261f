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
  const sets = ranges.map(({ from, to }) => ({ from: before(from), to: before(to) }));
  if (varying.length < 2) return new Float64Array(ranges.length).fill(NaN);
  const sums = sumBlocks(varying, blocks);
  const half = new Float64Array(varying.length);
  const complement = new Float64Array(varying.length);
  const overfit = new Float64Array(ranges.length); // in halves of a split
  const splits = new Float64Array(ranges.length);
  const all = 2 ** blocks - 1;
  for (const mask of halfMasks(blocks)) {
    measure(sums, mask, half);
    measure(sums, all ^ mask, complement);
    for (let set = 0; set < sets.length; set++) {
      const range = sets[set]!;
      const picked = bestOf(half, range);
      const pickedOfComplement = bestOf(complement, range);
      if (half[picked]! > -Infinity) {
        splits[set]!++;
        overfit[set]! += standing(complement, range, picked);
      }
      if (complement[pickedOfComplement]! > -Infinity) {
        splits[set]!++;
        overfit[set]! += standing(half, range, pickedOfComplement);
      }
    }
  }
  return overfit.map((halves, set) =>
    sets[set]!.to - sets[set]!.from < 2 ? NaN : halves / 2 / splits[set]!,
  );
}

/** Column of the largest measure of a range, the first of equals. */
function bestOf(measures: Float64Array, { from, to }: Range): number {
  let best = from;
  let most = from < to ? measures[from]! : -Infinity;
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
 * (N + 1 + lead) / 2; a column that is flat in the half counts as overfit. Comparisons become numbers
 * because they are coin flips, which a branch would guess wrong half the time.
 */
function standing(measures: Float64Array, { from, to }: Range, picked: number): number {
  const value = measures[picked]!;
  if (value === -Infinity) return OVERFIT;
  let lead = 0;
  for (let column = from; column < to; column++) {
    const other = measures[column]!;
    lead += Number(other < value) - Number(other > value);
  }
  if (lead === 0) return ON_THE_MIDDLE;
  return lead < 0 ? OVERFIT : NOT_OVERFIT;
}
