import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { familyBlocks, stationaryBlockLength } from "../../../quant/check/block-length.ts";
import { madeUpPanel } from "./made-up-panel.ts";
import { checkOf, normalColumns } from "./panels.ts";
import REFERENCES from "./references.json" with { type: "json" };

/** Each return is shared among that many bars after its entry. */
function overlapping(seed: number, rows: number, span: number): Float64Array {
  const [shocks] = normalColumns(seed, rows + span, [0]) as [Float64Array];
  return Float64Array.from({ length: rows }, (_, row) =>
    shocks.subarray(row, row + span).reduce((sum, value) => sum + value, 0),
  );
}

/** A third overlap, the others are noise. */
function mixedPanel(seed: number, rows: number, variants: number): Float64Array[] {
  const noise = normalColumns(seed, rows, Array<number>(variants).fill(0));
  return noise.map((column, place) =>
    place % 3 === 0 ? overlapping(seed + place, rows, 4 + 4 * (place % 4)) : column,
  );
}

describe("familyBlocks", () => {
  test("is the rule on the automatic lengths of `arch` 8, for each variant judged", () => {
    const panel = madeUpPanel(600, 6, 7);
    const lengths = REFERENCES.block_lengths; // 5.53 to 8.09; the two in the middle are 7.55 and 7.65
    const middle = (7.550424986466167 + 7.654679995870111) / 2;
    for (const [place, own] of lengths.entries()) {
      const found = familyBlocks(panel, place);
      expect(found.length).toBe(Math.ceil(1.5 * Math.max(2, middle, own)));
      expect(found.setBy).toBe(own > middle ? "selected" : "median");
      expect(found.suffices).toEqual(lengths.map((length) => 1.5 * length <= found.length));
    }
    expect(familyBlocks(panel, 5).suffices).toEqual(lengths.map(() => true)); // the longest of all
    expect(familyBlocks(panel, 4).suffices).toEqual([true, true, true, true, true, false]);
  });

  test("has at least three bars, which counts as set by the median", () => {
    const noise = normalColumns(4, 400, [0, 0, 0]);
    const least = noise.map((_, place) => familyBlocks(noise, place));
    expect(Math.min(...least.map(({ length }) => length))).toBe(3);
    expect(least.find(({ length }) => length === 3)!.setBy).toBe("median");
  });

  test("has no blocks where one would be longer than a tenth of the bars", () => {
    const panel = [...normalColumns(1, 200, [0, 0, 0]), overlapping(2, 200, 30)];
    expect(1.5 * stationaryBlockLength(panel[3]!)).toBeGreaterThan(20);
    expect(familyBlocks(panel, 3).length).toBeNaN();
    expect(familyBlocks(panel, 0).length).toBeLessThanOrEqual(20);
  });

  const panels = fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    variants: fc.integer({ min: 2, max: 9 }),
    place: fc.nat(),
  });

  test("noise beside it never makes a variant's blocks shorter than its need", () => {
    fc.assert(
      fc.property(panels, fc.integer({ min: 1, max: 30 }), ({ seed, variants, place }, more) => {
        const panel = mixedPanel(seed, 600, variants);
        const at = place % variants;
        const noise = normalColumns(seed + 99, 600, Array<number>(more).fill(0));
        const { length, suffices } = familyBlocks([...panel, ...noise], at);
        expect(Number.isNaN(length) || suffices[at]).toBe(true);
        const need = 1.5 * stationaryBlockLength(panel[at]!);
        expect(Number.isNaN(length) || length >= need - 1e-9).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test("the order of the variants changes nothing", () => {
    fc.assert(
      fc.property(panels, ({ seed, variants, place }) => {
        const panel = mixedPanel(seed, 600, variants);
        const at = place % variants;
        const one = familyBlocks(panel, at);
        const other = familyBlocks(panel.toReversed(), variants - 1 - at);
        expect({ ...other, suffices: other.suffices.toReversed() }).toEqual(one);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a mixed panel", () => {
  const noise = normalColumns(3, 500, [4, 0, 0, 0, 0, 0, 0]);
  const drift = 0.004; // enough to pass in short blocks
  const slow = overlapping(8, 500, 10).map((value) => value / Math.sqrt(10) + drift);
  const names = [...noise.map((_, place) => `n${place}`), "slow"];
  const judged = (selected: string) => checkOf([...noise, slow], { selected }, { names }).family!;

  test("has no p-value for what needs longer blocks, and names it", () => {
    const family = judged("n0");
    expect(family.blockLength).toBeLessThan(1.5 * stationaryBlockLength(slow));
    expect(family.untested).toContain("slow");
    expect(family.untestedReason).toContain("depend on one another over more bars");
    expect(family.survivors).not.toContain("slow");
  });

  test("is judged in longer blocks where that one is selected", () => {
    const family = judged("slow");
    expect(family.blockLength).toBe(Math.ceil(1.5 * stationaryBlockLength(slow)));
    expect(family.blockLengthSetBy).toBe("selected");
    expect([family.untested, family.untestedReason]).toEqual([[], null]);
  });

  test("counts the untested one in the luck of the others", () => {
    const alone = checkOf(noise, {}, { names: names.slice(0, -1) }).family!;
    expect(judged("n0").pValue).toBeGreaterThanOrEqual(alone.pValue!);
  });
});
