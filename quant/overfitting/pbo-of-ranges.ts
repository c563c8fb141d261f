import { instantiate, PAIR_BYTES } from "../wasm/module.ts";
import type { Kernel } from "../wasm/module.ts";
import { halfMasks } from "./cscv-blocks.ts";
import {
  BEST_BYTES,
  CSCV_KERNEL,
  PIECE_BYTES,
  SET,
  SET_BYTES,
  SUMS_PAIR_BYTES,
} from "./cscv-kernel.ts";
import { isFlat } from "./cscv.ts";
import type { SideBySide } from "./side-by-side.ts";

/** Neighbouring columns, `from` inclusive to `to` exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A rectangle of returns: some rows of some columns. */
export interface Matrix {
  readonly columns: SideBySide;
  /** The rows, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Indices of the columns, in their order. */
  readonly among: readonly number[];
}

/**
 * Probability of backtest overfitting of several sets of the same columns, each equal to the bit to what
 * `cscv` gives for that set alone. Every half of the rows is measured once for all sets, and nothing but
 * the probability is kept. That matters because the index needs 23 of these for each coin and month, and
 * the dataset as many for each coin. Ranges index into `among`. NaN for a set with fewer than two columns
 * that are not flat.
 */
export function pboOfRanges(
  { columns, from, to, among }: Matrix,
  blocks: number,
  ranges: readonly Range[],
): Float64Array {
  // The oldest rows, which fill no block, are left out.
  const first = from + ((to - from) % blocks);
  const varying: number[] = [];
  const before = among.map((column) => {
    const count = varying.length;
    if (!isFlat(columns.columns[column]!, first, to)) varying.push(column);
    return count;
  });
  before.push(varying.length);
  const moving = ranges.map(({ from, to }) => ({ from: before[from]!, to: before[to]! }));
  const sets = moving.filter(({ from, to }) => to - from >= 2);
  const pbos =
    sets.length === 0
      ? new Float64Array()
      : pboOfSets({ columns, from: first, to, among: varying }, blocks, sets);
  const known = pbos.values();
  // `known` has one value for each set with two columns or more.
  return Float64Array.from(moving, ({ from, to }) => (to - from >= 2 ? known.next().value! : NaN));
}

/** Compiled on first use; every call on this thread reuses its memory. */
let compiled: Kernel<keyof typeof CSCV_KERNEL> | undefined;

function pboOfSets(matrix: Matrix, blocks: number, sets: readonly Range[]): Float64Array {
  compiled ??= instantiate(CSCV_KERNEL);
  const pieces = piecesOf(sets);
  const layout = layoutOf(pieces, sets.length, blocks);
  const { call } = compiled;
  const memory = compiled.reserve(layout.end);
  writePieces(new DataView(memory), layout, { pieces, sets });
  writeSums(memory, layout, { matrix, blocks, pieces });
  for (const part of [layout.lower, layout.upper]) {
    for (let set = 1; set < 2 ** (blocks / 2); set++) {
      const highest = 1 << (31 - Math.clz32(set));
      if (set === highest) continue; // a single block, summed already
      const row = (of: number) => part + of * layout.rowBytes;
      call.addRows(row(set - highest), row(highest), row(set), row(set + 1));
    }
  }
  split(call, layout, { blocks, rows: matrix.to - matrix.from });
  const view = new DataView(memory);
  return Float64Array.from(sets, (_, index) => {
    const count = (member: keyof typeof SET) =>
      view.getInt32(layout.sets + index * SET_BYTES + SET[member], true);
    return count("overfit") / 2 / count("splits");
  });
}

/** Each half is measured once: it is in-sample for one split and out-of-sample for the complementary one. */
function split(
  call: Kernel<keyof typeof CSCV_KERNEL>["call"],
  layout: Layout,
  { blocks, rows }: { blocks: number; rows: number },
): void {
  const { lower, upper, rowBytes, one, other, oneBests, otherBests } = layout;
  const lowerBlocks = blocks / 2;
  const lowerMask = 2 ** lowerBlocks - 1;
  const allBlocks = 2 ** blocks - 1;
  const share = 1 / (lowerBlocks * Math.floor(rows / blocks));
  const measure = (mask: number, half: number, bests: number) => {
    const lowerRow = lower + (mask & lowerMask) * rowBytes;
    const upperRow = upper + (mask >>> lowerBlocks) * rowBytes;
    call.measure(lowerRow, upperRow, half, bests, layout.pieces, layout.sets, share);
  };
  for (const mask of halfMasks(blocks)) {
    measure(mask, one, oneBests);
    measure(allBlocks - mask, other, otherBests);
    call.addSplit(oneBests, other, layout.sets, layout.setsEnd);
    call.addSplit(otherBests, one, layout.sets, layout.setsEnd);
  }
}

/** A run of columns between two set boundaries. Overlapping sets share the bests of their common pieces. */
interface Piece {
  /** Columns, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Index of its first pair. */
  readonly pair: number;
  /** Index after its last pair. An odd column is paired with a padding column. */
  readonly pairEnd: number;
}

function piecesOf(sets: readonly Range[]): Piece[] {
  const cuts = [...new Set(sets.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  for (const [index, from] of cuts.slice(0, -1).entries()) {
    const to = cuts[index + 1]!; // the last cut starts no piece
    const pair = pieces.at(-1)?.pairEnd ?? 0;
    pieces.push({ from, to, pair, pairEnd: pair + Math.ceil((to - from) / 2) });
  }
  return pieces;
}

/** Addresses in the kernel's memory. */
interface Layout {
  readonly rowBytes: number;
  /** Rows of subset sums for either half of the blocks, indexed by mask. */
  readonly lower: number;
  readonly upper: number;
  readonly one: number;
  readonly oneBests: number;
  readonly other: number;
  readonly otherBests: number;
  readonly pieces: number;
  /** Also the end of the pieces. */
  readonly sets: number;
  readonly setsEnd: number;
  readonly end: number;
}

function layoutOf(pieces: readonly Piece[], sets: number, blocks: number): Layout {
  const pairs = pieces.at(-1)!.pairEnd; // at least one set has columns
  const rowBytes = pairs * SUMS_PAIR_BYTES;
  const tableBytes = 2 ** (blocks / 2) * rowBytes;
  const halfBytes = pairs * PAIR_BYTES + pieces.length * BEST_BYTES;
  const one = 2 * tableBytes;
  const other = one + halfBytes;
  const firstPiece = other + halfBytes;
  const firstSet = firstPiece + pieces.length * PIECE_BYTES;
  const setsEnd = firstSet + sets * SET_BYTES;
  return {
    rowBytes,
    lower: 0,
    upper: tableBytes,
    one,
    oneBests: one + pairs * PAIR_BYTES,
    other,
    otherBests: other + pairs * PAIR_BYTES,
    pieces: firstPiece,
    sets: firstSet,
    setsEnd,
    end: setsEnd,
  };
}

function writePieces(
  view: DataView,
  layout: Layout,
  { pieces, sets }: { pieces: readonly Piece[]; sets: readonly Range[] },
): void {
  for (const [index, { pairEnd }] of pieces.entries()) {
    view.setInt32(layout.pieces + index * PIECE_BYTES, pairEnd * PAIR_BYTES, true);
  }
  for (const [index, { from, to }] of sets.entries()) {
    const first = pieces.findIndex((piece) => piece.from === from);
    const last = pieces.findIndex((piece) => piece.to === to);
    const [begin, end] = [pieces[first]!.pair, pieces[last]!.pairEnd]; // pieces end where sets do
    const write = (member: keyof typeof SET, value: number) =>
      view.setInt32(layout.sets + index * SET_BYTES + SET[member], value, true);
    write("firstBest", first * BEST_BYTES);
    write("lastBest", (last + 1) * BEST_BYTES);
    write("from", begin * PAIR_BYTES);
    write("to", end * PAIR_BYTES);
    write("padding", 2 * (end - begin) - (to - from));
    write("splits", 0);
    write("overfit", 0);
  }
}

/** Writes the rows for no block and for each block alone. A padding column is a flat one. */
function writeSums(
  buffer: ArrayBuffer,
  layout: Layout,
  of: { matrix: Matrix; blocks: number; pieces: readonly Piece[] },
): void {
  const { matrix, blocks, pieces } = of;
  const { columns, from: firstRow, to: lastRow, among } = matrix;
  const blockRows = (lastRow - firstRow) / blocks;
  const rowNumbers = layout.rowBytes / Float64Array.BYTES_PER_ELEMENT;
  const row = (at: number) => new Float64Array(buffer, at, rowNumbers).fill(0);
  for (const part of [layout.lower, layout.upper]) row(part);
  for (let block = 0; block < blocks; block++) {
    const isLower = block < blocks / 2;
    const alone = 2 ** (isLower ? block : block - blocks / 2);
    const target = row((isLower ? layout.lower : layout.upper) + alone * layout.rowBytes);
    const begin = firstRow + block * blockRows;
    const { sumOf, squaresOf } = columns.sums(begin, begin + blockRows);
    for (const { from, to, pair } of pieces) {
      for (let column = from; column < to; column++) {
        const place = 4 * (pair + ((column - from) >> 1)) + ((column - from) & 1);
        target[place] = sumOf(among[column]!); // pieces index into `among`
        target[place + 2] = squaresOf(among[column]!);
      }
    }
  }
}
