import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharpeRatio } from "../../../quant/engine/statistics.ts";
import { SideBySide } from "../../../quant/overfitting/side-by-side.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

const ROWS = 90;

/** Returns of strategies, including days without a position, flat columns, and one column twice. */
function columnsOf(seed: number, count: number): Float64Array[] {
  const uniform = seededUniform(seed);
  return Array.from({ length: count }, (_, which) => {
    const share = which % 4 === 1 ? 0 : uniform();
    const day = () => (uniform() < share ? (uniform() - 0.5) / 7 : 0);
    return Float64Array.from({ length: ROWS }, day);
  }).map((column, which, all) => (which === 3 ? Float64Array.from(all[2]!) : column));
}

/** Sums one column after the other, row by row. */
function plainSums(column: Float64Array, from: number, to: number) {
  let sum = 0;
  let squares = 0;
  for (const value of column.subarray(from, to)) {
    sum += value;
    squares += value * value;
  }
  return { sum, squares };
}

const seeds = fc.integer({ min: 1, max: 1e9 });
const counts = fc.integer({ min: 1, max: 30 });

describe("columns side by side", () => {
  test("have the sums that each has by itself, to the bit", () => {
    const rows = fc.tuple(fc.nat(ROWS - 1), fc.integer({ min: 1, max: ROWS }));
    fc.assert(
      fc.property(seeds, counts, rows, (seed, count, [from, days]) => {
        const columns = columnsOf(seed, count);
        const to = Math.min(ROWS, from + days);
        const { sumOf, squaresOf } = new SideBySide(columns).sums(from, to);
        for (const [index, column] of columns.entries()) {
          const found = { sum: sumOf(index), squares: squaresOf(index) };
          expect(found).toEqual(plainSums(column, from, to));
        }
      }),
    );
  });

  test("have the Sharpe ratios that each has by itself, to the bit", () => {
    fc.assert(
      fc.property(seeds, counts, (seed, count) => {
        const columns = columnsOf(seed, count);
        const beside = new SideBySide(columns);
        for (const [from, to] of [
          [0, ROWS],
          [3, 41],
          [5, 7],
          [5, 6],
          [5, 5],
        ] as const) {
          const alone = columns.map((column) => sharpeRatio(column, from, to));
          expect(Array.from(beside.sharpeRatios(from, to))).toEqual(alone);
        }
      }),
    );
  });

  test("are told apart from others that were asked about meanwhile", () => {
    const [first, second] = [columnsOf(1, 9), columnsOf(2, 17)].map((each) => new SideBySide(each));
    const before = first!.sharpeRatios(0, ROWS);
    const sums = second!.sums(10, 20);
    expect([sums.sumOf(16), sums.squaresOf(16)]).toEqual(
      Object.values(plainSums(second!.columns[16]!, 10, 20)),
    );
    expect(first!.sharpeRatios(0, ROWS)).toEqual(before);
  });

  test("are refused when their lengths differ, and have no rows but their own", () => {
    const columns = columnsOf(1, 2);
    expect(() => new SideBySide([...columns, new Float64Array(ROWS + 1)])).toThrow(RangeError);
    const beside = new SideBySide(columns);
    for (const [from, to] of [
      [-1, 5],
      [5, 5],
      [0, ROWS + 1],
    ] as const) {
      expect(() => beside.sums(from, to)).toThrow(RangeError);
    }
    expect(new SideBySide([]).sharpeRatios(0, 0)).toHaveLength(0);
  });
});
