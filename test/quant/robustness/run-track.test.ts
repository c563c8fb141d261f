import { describe, expect, test } from "vitest";
import { DOUBLED_COSTS } from "../../../quant/dataset/definition.ts";
import { DEFAULT_COSTS } from "../../../quant/engine/costs.ts";
import { dayReturns } from "../../../quant/engine/day-returns.ts";
import { runGrid } from "../../../quant/engine/grid.ts";
import {
  calmarRatio,
  maxDrawdown,
  sharpeRatio,
  totalReturn,
} from "../../../quant/engine/statistics.ts";
import { annualGrowth } from "../../../quant/annual-growth.ts";
import {
  calmarUntil,
  createTracks,
  cutAt,
  growthBetween,
  sharpeBetween,
  trackOtherCosts,
  trackRun,
} from "../../../quant/robustness/run-track.ts";
import { STUDIED } from "../../../quant/strategies/studied.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const bars = madeUpBars({ seed: 3, days: 900 });
const window = { from: 200, to: 900 };
const CUTS = [350, 490, 700];

/** Every run of the grid, tracked, with its returns at the usual and at doubled costs. */
function tracked() {
  const tracks = createTracks(CUTS, 286);
  const doubled = createTracks([490, 700], 286);
  const days = { usual: dayReturns(bars, DEFAULT_COSTS), other: dayReturns(bars, DOUBLED_COSTS) };
  const runs: { returns: Float64Array; doubled: Float64Array }[] = [];
  runGrid(
    { bars, window, templates: STUDIED, otherCosts: DOUBLED_COSTS },
    (buffer, _, __, other) => {
      trackRun(tracks, runs.length, { buffer, days: days.usual, first: 200 });
      trackOtherCosts(doubled, runs.length, { from: tracks, buffer, ...days, first: 200 });
      runs.push({ returns: buffer.returns.slice(), doubled: other.returns.slice() });
    },
  );
  return { tracks, doubled, runs };
}

/** Equal but for rounding, or both without a value. */
function isNear(found: number, expected: number): boolean {
  return Object.is(found, expected) || Math.abs(found - expected) < 1e-9;
}

describe("a tracked run", () => {
  const { tracks, doubled, runs } = tracked();
  const at = (row: number) => cutAt(tracks, row);

  test("has in-sample the Sharpe ratios of its returns, to the bit", () => {
    for (const [run, { returns }] of runs.entries()) {
      for (const row of CUTS) {
        expect(sharpeBetween(tracks, run, 0, at(row))).toBe(sharpeRatio(returns, 0, row));
      }
    }
  });

  test("has the figures of its returns between any two cuts", () => {
    for (const [run, { returns }] of runs.entries()) {
      const sharpe = sharpeRatio(returns, 350, 700);
      const found = sharpeBetween(tracks, run, at(350), at(700));
      expect(isNear(found, sharpe)).toBe(true);
      const growth = growthBetween(tracks, run, at(350), at(700));
      expect(growth).toBeCloseTo(1 + totalReturn(returns, 350, 700), 9);
      const cagr = annualGrowth(1 + totalReturn(returns, 0, 490), 490);
      const calmar = calmarRatio(cagr, maxDrawdown(returns, 0, 490));
      expect(isNear(calmarUntil(tracks, run, at(490)), calmar)).toBe(true);
    }
  });

  test("has at other costs the Sharpe ratios of a run at those costs", () => {
    for (const [run, each] of runs.entries()) {
      for (const [from, to] of [
        [0, 490],
        [490, 700],
      ] as const) {
        const sharpe = sharpeRatio(each.doubled, from, to);
        const found = sharpeBetween(doubled, run, cutAt(doubled, from), cutAt(doubled, to));
        expect(isNear(found, sharpe)).toBe(true);
      }
    }
  });
});
