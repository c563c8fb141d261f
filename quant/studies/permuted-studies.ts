import type { Bars } from "../bars.ts";
import type { Costs } from "../engine/costs.ts";
import { dayReturns } from "../engine/day-returns.ts";
import { gridFills, takeFills } from "../engine/grid-fills.ts";
import { createRunBuffer, type Window } from "../engine/simulate.ts";
import { panelOf, permutedDays, rebuiltBars } from "../overfitting/index-panel.ts";
import { seededRandom } from "../overfitting/seeded-random.ts";
import { createTracks, sharpeBetween, trackRun, type RunTracks } from "../robustness/run-track.ts";
import { flatnessOf } from "./flatness.ts";
import type { ParameterGrid } from "./parameter-grid.ts";
import { followBest, type Fold } from "./walk-forward.ts";

/** With 19, to be above all of them is a chance of 1 in 20 where nothing is to be found. */
export const PERMUTATIONS = 19;
/** Longest block of days that stays together: what a rule of some weeks feeds on is still there. */
const BLOCK_DAYS = 60;
/** Constant, so that the same study always has the same shufflings. */
const SEED = 20_261_130;

/** What the same grid finds where the order of the days teaches nothing. */
export interface PermutedStudy {
  /** Highest Sharpe ratio of the sets. */
  readonly best: number;
  readonly drop: number;
  /** Of the walk forward; NaN without one. */
  readonly leadBefore: number;
  readonly leadAfter: number;
}

export interface TrackedGrid {
  readonly bars: Bars;
  readonly window: Window;
  readonly costs: Costs;
  readonly grid: ParameterGrid;
  readonly folds: readonly Fold[];
}

/** Runs a grid for its sums at the ends of all spans alone. */
export function trackGrid({ bars, window, costs, grid, folds }: TrackedGrid): RunTracks {
  const { template, sets } = grid;
  const days = window.to - window.from;
  const rows = folds.flatMap(({ trainFrom, split, end }) => [trainFrom, split, end]);
  const tracks = createTracks([...rows, days], sets.length);
  const fills = gridFills(bars, window, [{ ...template, variants: sets }]);
  const buffer = createRunBuffer(days, new Float64Array());
  const of = { buffer, days: dayReturns(bars, costs), first: window.from };
  for (const run of sets.keys()) {
    takeFills(fills, run, buffer);
    trackRun(tracks, run, of);
  }
  return tracks;
}

/** Yearly Sharpe ratio of each set over all days. */
function trackedSharpes(tracks: RunTracks, sets: number): number[] {
  const last = tracks.cuts.length - 1;
  return Array.from({ length: sets }, (_, set) => sharpeBetween(tracks, set, 0, last));
}

/**
 * The grid on the same days in random order, in blocks of 1 to 60. The days up to the first close that counts are
 * permuted among themselves, so that holding the coin earns what it did.
 */
export function permutedStudy(study: TrackedGrid, draw: number): PermutedStudy {
  const { bars, window, grid, folds } = study;
  const permuted = permutedBars(bars, window, seededRandom(SEED, draw));
  const tracks = trackGrid({ ...study, bars: permuted });
  const sharpes = trackedSharpes(tracks, grid.sets.length);
  const { best, drop } = flatnessOf(grid, sharpes);
  const none = { leadBefore: NaN, leadAfter: NaN };
  const { leadBefore, leadAfter } =
    folds.length === 0 ? none : followBest(tracks, grid.sets.length, folds);
  return { best: sharpes[best] ?? NaN, drop, leadBefore, leadAfter };
}

export function permutedBars(bars: Bars, { from, to }: Window, random: () => number): Bars {
  const panel = panelOf([bars], { lastDay: bars.day[to - 1]!, days: to });
  const before = permutedDays(from + 1, random, BLOCK_DAYS);
  const after = permutedDays(to - from - 1, random, BLOCK_DAYS).map((row) => from + 1 + row);
  const [coin] = panel.coins;
  return rebuiltBars(coin!, Int32Array.of(...before, ...after)); // one coin was given
}
