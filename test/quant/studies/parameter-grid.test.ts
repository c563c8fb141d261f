import { describe, expect, test } from "vitest";
import { CATALOGUE, findTemplate } from "../../../quant/strategies/catalogue.ts";
import {
  flatnessOf,
  neighboursOf,
  parameterGrid,
  setLabel,
} from "../../../quant/studies/parameter-grid.ts";

const maCross = findTemplate("ma_cross")!;

describe("a grid of parameters", () => {
  test("has every legal set, the last parameter turning fastest, and counts the others", () => {
    const grid = parameterGrid(maCross, { fast: [20, 10], slow: { from: 10, to: 30, step: 10 } });
    expect(grid.sets.map(({ fast, slow }) => [fast, slow])).toEqual([
      [10, 20],
      [10, 30],
      [20, 30],
    ]);
    expect(grid.illegal).toBe(3);
  });

  test("includes the end of a range, free of rounding, and takes a value once", () => {
    const sar = findTemplate("parabolic_sar")!;
    const { axes } = parameterGrid(sar, { acceleration: { from: 0.1, to: 0.3, step: 0.1 } });
    expect(axes[0]!.values).toEqual([0.1, 0.2, 0.3]);
    expect(parameterGrid(maCross, { fast: [5, 5, 5.0000001] }).sets).toHaveLength(1);
  });

  test("has the defaults of what was not asked for", () => {
    for (const template of CATALOGUE) {
      expect(parameterGrid(template, {}).sets).toEqual([template.variants[0]]);
    }
  });

  test.each([
    [{ pace: [1] }, `"pace" isn't a parameter of ma_cross`],
    [{ fast: [] }, '"fast" needs a value'],
    [{ fast: { from: 1, to: 9, step: 0 } }, "by a step above 0, got 1 to 9 by 0"],
    [{ fast: { from: 9, to: 1, step: 1 } }, "got 9 to 1 by 1"],
    [{ fast: { from: 1, to: 1e9, step: 1 } }, "values, at most 20000 are expanded"],
    [{ fast: { from: 1, to: 199, step: 1 }, slow: { from: 1, to: 200, step: 1 } }, "at most 20000"],
    [{ fast: { from: 1, to: 100, step: 1 }, slow: { from: 101, to: 200, step: 1 } }, "2000 legal"],
    [{ fast: [60], slow: [50] }, 'no legal set: "fast" must be below "slow", got 60 and 50'],
    [{ fast: [0] }, '"fast" must be a whole number from 1 to 199, got 0'],
  ])("refuses %j", (asked, message) => {
    expect(() => parameterGrid(maCross, asked as never)).toThrow(RangeError);
    expect(() => parameterGrid(maCross, asked as never)).toThrow(message);
  });

  test("knows the neighbours of a set: one step of one parameter", () => {
    const grid = parameterGrid(maCross, { fast: [5, 10, 15], slow: [12, 20, 40] });
    const of = (fast: number, slow: number) =>
      neighboursOf(
        grid,
        grid.sets.findIndex((set) => set["fast"] === fast && set["slow"] === slow),
      )
        .map((set) => setLabel(grid, grid.sets[set]!))
        .sort();
    expect(of(10, 20)).toEqual([
      "fast 10, slow 12",
      "fast 10, slow 40",
      "fast 15, slow 20",
      "fast 5, slow 20",
    ]);
    expect(of(15, 20), "fast 15, slow 12 is not legal").toEqual([
      "fast 10, slow 20",
      "fast 15, slow 40",
    ]);
    expect(of(5, 12)).toEqual(["fast 10, slow 12", "fast 5, slow 20"]);
  });
});

describe("flatness", () => {
  const grid = parameterGrid(maCross, { fast: [5, 10, 15] });

  test("is the best less the median of its neighbours", () => {
    expect(flatnessOf(grid, [1, 2, 0.5])).toEqual({ best: 1, drop: 1.25, neighbours: 2 });
  });

  test("needs two neighbours that move", () => {
    expect(flatnessOf(grid, [1, 0.5, 0.2]).drop).toBeNaN();
    expect(flatnessOf(grid, [1, 2, NaN]).drop).toBeNaN();
    expect(flatnessOf(grid, [NaN, NaN, NaN])).toEqual({ best: -1, drop: NaN, neighbours: 0 });
  });
});
