import { momentsOfSums, sharpeOfMoments } from "../engine/statistics.ts";
import { f64x2, get, i32, increase, repeatWhile, set, v128 } from "../wasm/instructions.ts";
import { instantiate } from "../wasm/module.ts";
import type { Kernel, WasmFunction } from "../wasm/module.ts";

/** Columns of a group: their sums fill the registers of a processor, and a row of theirs is a line of its cache. */
const GROUP = 8;
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
const PAIR_BYTES = 2 * NUMBER_BYTES;
const LINE_BYTES = GROUP * NUMBER_BYTES;

/**
 * addUp(row, end of rows, anchors, out): the sums of eight columns' distances from their anchors, and those of the squares, row
 * after row. A lane is one column, so the bits are those of one column's plain loop. All are addresses; there is at least a row.
 */
function addUp(): WasmFunction {
  const [row, end, anchors, out, distance] = [0, 1, 2, 3, 4] as const;
  const pairs = [0, 1, 2, 3].map((pair) => ({
    at: pair * PAIR_BYTES,
    anchor: 5 + pair,
    sum: 9 + pair,
    square: 13 + pair,
  }));
  return {
    parameters: ["i32", "i32", "i32", "i32"],
    locals: Array.from({ length: 1 + 3 * pairs.length }, () => "v128" as const),
    body: [
      ...pairs.flatMap(({ at, anchor }) => set(anchor, v128.load(get(anchors), at))),
      ...repeatWhile(
        i32.ltUnsigned(get(row), get(end)),
        ...pairs.map(({ at, anchor, sum, square }) => [
          ...set(distance, f64x2.sub(v128.load(get(row), at), get(anchor))),
          ...set(sum, f64x2.add(get(sum), get(distance))),
          ...set(square, f64x2.add(get(square), f64x2.mul(get(distance), get(distance)))),
        ]),
        increase(row, i32.const(LINE_BYTES)),
      ),
      ...pairs.flatMap(({ at, sum, square }) => [
        ...v128.store(get(out), get(sum), at),
        ...v128.store(get(out), get(square), LINE_BYTES + at),
      ]),
    ],
  };
}

/** Of a group's sums and sums of squares. */
const SUMS_BYTES = 2 * LINE_BYTES;

/** Compiled when it is first used. Its memory holds one matrix's columns at a time: `loaded`. */
let compiled: Kernel<"addUp"> | undefined;
let loaded: readonly Float64Array[] | undefined;

/** What some rows of every column add up to. Overwritten by the next sums of any columns: take what is needed. */
export interface ColumnSums {
  readonly sumOf: (column: number) => number;
  readonly squaresOf: (column: number) => number;
}

/**
 * Columns of equal length that are summed over the same rows again and again: copied once, so that a row of eight of them stands
 * together, and then summed eight in a pass, several times as fast as one after the other and to the same bits. They must
 * not change meanwhile.
 */
export class SideBySide {
  readonly columns: readonly Float64Array[];
  readonly rows: number;

  constructor(columns: readonly Float64Array[]) {
    this.columns = columns;
    this.rows = columns[0]?.length ?? 0;
    if (columns.some(({ length }) => length !== this.rows)) {
      throw new RangeError("columns that stand side by side need one length");
    }
  }

  /** Sums of the rows `from` to `to`, exclusive, and of their squares. */
  sums(from: number, to: number): ColumnSums {
    return this.#sums(from, to, () => 0);
  }

  /** The Sharpe ratio of each column over some rows, the bits of `sharpeRatio`. NaN for flat columns and fewer than two rows. */
  sharpeRatios(from: number, to: number): Float64Array {
    const days = to - from;
    if (days < 2) return new Float64Array(this.columns.length).fill(NaN);
    const { sumOf, squaresOf } = this.#sums(from, to, (group) => this.#lineOf(group, from));
    return Float64Array.from(this.columns, (column, index) => {
      const sums = { anchor: column[from]!, sum: sumOf(index), squares: squaresOf(index), days };
      return sharpeOfMoments(momentsOfSums(sums));
    });
  }

  /** `anchorsOf` gives the address of a group's anchors; a line of zeros begins the memory. */
  #sums(from: number, to: number, anchorsOf: (group: number) => number): ColumnSums {
    if (!(from >= 0 && from < to && to <= this.rows)) {
      throw new RangeError(`no rows ${from} to ${to} in columns of ${this.rows}`);
    }
    const { call, reserve } = this.#load();
    for (let group = 0; group < this.#groups; group++) {
      const out = LINE_BYTES + group * SUMS_BYTES;
      call.addUp(this.#lineOf(group, from), this.#lineOf(group, to), anchorsOf(group), out);
    }
    const sums = new Float64Array(reserve(0), LINE_BYTES);
    const place = (column: number) =>
      Math.floor(column / GROUP) * (SUMS_BYTES / NUMBER_BYTES) + (column % GROUP);
    return {
      sumOf: (column) => sums[place(column)]!,
      squaresOf: (column) => sums[place(column) + GROUP]!,
    };
  }

  get #groups(): number {
    return Math.ceil(this.columns.length / GROUP);
  }

  /** Address of a row of a group. */
  #lineOf(group: number, row: number): number {
    return LINE_BYTES + this.#groups * SUMS_BYTES + (group * this.rows + row) * LINE_BYTES;
  }

  #load(): Kernel<"addUp"> {
    compiled ??= instantiate({ addUp: addUp() });
    if (loaded === this.columns) return compiled;
    const memory = compiled.reserve(this.#lineOf(this.#groups, 0));
    for (const [index, column] of this.columns.entries()) {
      const group = Math.floor(index / GROUP);
      const lines = new Float64Array(memory, this.#lineOf(group, 0), this.rows * GROUP);
      copyInto(lines, index % GROUP, column);
    }
    loaded = this.columns;
    return compiled;
  }
}

function copyInto(lines: Float64Array, lane: number, column: Float64Array): void {
  for (let row = 0; row < column.length; row++) lines[row * GROUP + lane] = column[row]!;
}
