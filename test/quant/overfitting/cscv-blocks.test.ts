import { describe, expect, test } from "vitest";
import { halfMasks, sumBlocks } from "../../../quant/overfitting/cscv-blocks.ts";

function bitsOf(mask: number): number[] {
  return Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => ((mask >>> bit) & 1) === 1);
}

describe("halfMasks", () => {
  test.each([
    [2, 1],
    [4, 3],
    [12, 462],
    [16, 6435],
    [20, 92_378],
  ])("of %d blocks are %d: each half that holds block 0, once", (blocks, count) => {
    const masks = halfMasks(blocks);
    expect(masks).toHaveLength(count);
    expect(new Set(masks).size).toBe(count);
    for (const mask of masks.subarray(0, 2000)) {
      expect(bitsOf(mask)).toHaveLength(blocks / 2);
      expect(mask & 1).toBe(1);
      expect(mask).toBeLessThan(2 ** blocks);
    }
  });
});

describe("sumBlocks", () => {
  test("sums every subset of the blocks of either half", () => {
    // Nine rows in four blocks of two: the oldest row is left out.
    const column = Float64Array.of(100, 1, 2, 3, 4, 5, 6, 7, 8);
    const sums = sumBlocks([column, column.map((value) => -value)], 4);
    expect(sums).toMatchObject({ columns: 2, blockLength: 2, lowerBlocks: 2 });
    expect([...sums.lower.sums]).toEqual([0, 0, 3, -3, 7, -7, 10, -10]);
    expect([...sums.upper.sums]).toEqual([0, 0, 11, -11, 15, -15, 26, -26]);
    expect([...sums.lower.squares]).toEqual([0, 0, 5, 5, 25, 25, 30, 30]);
  });
});
