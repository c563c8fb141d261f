import { describe, expect, test } from "vitest";
import { cscv } from "../../../quant/overfitting/cscv.ts";
import { pboOfRanges } from "../../../quant/overfitting/pbo-of-ranges.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

const ROWS = 509; // not a multiple of any number of blocks

/** Noise, in which some columns are flat, flat for a while, or equal to another. */
function columns(seed: number, count: number): Float64Array[] {
  const uniform = seededUniform(seed);
  const made = Array.from({ length: count }, () =>
    Float64Array.from({ length: ROWS }, () => uniform() + uniform() - 1),
  );
  made[2]!.fill(0);
  made[3]!.fill(0, 60);
  made[4]!.fill(0, 0, 400);
  made[8]!.fill(0.1, 60); // sums of tenths round
  made[9]!.fill(0.003, 0, 400);
  made[10]!.fill(-0.003, 200);
  made[6]!.set(made[5]!);
  made[7]!.set(made[5]!.subarray(200), 200);
  return made;
}

describe("pboOfRanges", () => {
  test.each([8, 12])("gives each set what cscv gives it alone, with %d blocks", (blocks) => {
    for (let seed = 1; seed <= 10; seed++) {
      const all = columns(seed, 26);
      const ranges = [
        { from: 0, to: 26 },
        { from: 0, to: 13 },
        { from: 13, to: 26 },
        { from: 2, to: 8 },
        { from: 5, to: 7 },
      ];
      const alone = ranges.map(({ from, to }) => cscv(all.slice(from, to), blocks).pbo);
      expect(Array.from(pboOfRanges(all, blocks, ranges)), `seed ${seed}`).toEqual(alone);
    }
  });

  test("has no value for a set with fewer than two columns that move", () => {
    const all = columns(1, 13);
    const pbos = pboOfRanges(all, 8, [
      { from: 1, to: 3 },
      { from: 2, to: 3 },
      { from: 4, to: 4 },
      { from: 0, to: 13 },
    ]);
    expect(Array.from(pbos)).toEqual([NaN, NaN, NaN, cscv(all, 8).pbo]);
  });

  test("has no value when nothing moves, and none for no columns", () => {
    const flat = [new Float64Array(ROWS), new Float64Array(ROWS)];
    expect(Array.from(pboOfRanges(flat, 8, [{ from: 0, to: 2 }]))).toEqual([NaN]);
    expect(Array.from(pboOfRanges([], 8, [{ from: 0, to: 0 }]))).toEqual([NaN]);
  });
});
