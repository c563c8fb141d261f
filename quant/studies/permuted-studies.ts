import type { Bars } from "../bars.ts";
import type { Costs } from "../engine/costs.ts";
import { dayReturns } from "../engine/day-returns.ts";
import { gridFills, takeFills } from "../engine/grid-fills.ts";
import { createRunBuffer, type Window } from "../engine/simulate.ts";
import { panelOf, permutedDays, rebuiltBars } from "../overfitting/index-panel.ts";
import { seededRandom } from "../overfitting/seeded-random.ts";
import { createTracks, sharpeBetween, trackRun, type RunTracks } from "../robustness/run-track.ts";
import { flatnessOf, type ParameterGrid } from "./parameter-grid.ts";
import { followBest, type Fold } from "./walk-forward.ts";

/** Where there is nothing to be found, the chance of being above all 19 is 1 in 20. */
export const PERMUTATIONS = 19;
/** Longest block of days that stays together, so that rules of some weeks still find what they feed on. */
const BLOCK_DAYS = 60;
/** Constant, so that the same study always has the same permutations. */
const SEED = 20_261_130;

export interface TrackedGrid {
  readonly bars: Bars;
  readonly window: Window;
  readonly costs: Costs;
  readonly grid: ParameterGrid;
  /** Tests of the walk forward, which may be none. */
  readonly folds: readonly Fold[];
}

/** Runs a grid for its sums up to the ends of all spans, without the daily returns. */
export function trackGrid({ bars, window, costs, grid, folds }: TrackedGrid): RunTracks {
  const { template, sets } = grid;
  const days = window.to - window.from;
  const rows = folds.flatMap(({ trainFrom, split, end }) => [trainFrom, split, end]);
  const tracks = createTracks([...rows, days], sets.length);
  const fills = gridFills(bars, window, [{ ...template, variants: sets }]);
  const buffer = createRunBuffer(days, new Float64Array());
  const input = { buffer, days: dayReturns(bars, costs), first: window.from };
  for (const run of sets.keys()) {
    takeFills(fills, run, buffer);
    trackRun(tracks, run, input);
  }
  return tracks;
}

/**
 * What the grid finds where the order of the days teaches nothing: the highest Sharpe ratio of the sets, its drop to the
 * neighbours, and the leads of the walk forward, which are NaN without one.
 */
export function permutedStudy(study: TrackedGrid, draw: number) {
  const { bars, window, grid, folds } = study;
  const permuted = permutedBars(bars, window, seededRandom(SEED, draw));
  const tracks = trackGrid({ ...study, bars: permuted });
  const last = tracks.cuts.length - 1;
  const sharpes = grid.sets.map((_, set) => sharpeBetween(tracks, set, 0, last));
  const { best, drop } = flatnessOf(grid, sharpes);
  const { leadBefore, leadAfter } =
    folds.length === 0
      ? { leadBefore: NaN, leadAfter: NaN }
      : followBest(tracks, grid.sets.length, folds);
  return { best: sharpes[best] ?? NaN, drop, leadBefore, leadAfter };
}

/**
 * The same days in random order, in blocks of 1 to 60. The days up to the first close that counts are permuted among
 * themselves, so that holding the coin earns what it did.
 */
export function permutedBars(bars: Bars, { from, to }: Window, random: () => number): Bars {
  const panel = panelOf([bars], { lastDay: bars.day[to - 1]!, days: to });
  const before = permutedDays(from + 1, random, BLOCK_DAYS);
  const after = permutedDays(to - from - 1, random, BLOCK_DAYS).map((row) => from + 1 + row);
  const [coin] = panel.coins;
  return rebuiltBars(coin!, Int32Array.of(...before, ...after)); // one coin was given
}
