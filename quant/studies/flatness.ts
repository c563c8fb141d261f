import { median } from "../sample-statistics.ts";
import { pickOf } from "../robustness/cell-premium.ts";
import { neighboursOf, type ParameterGrid } from "./parameter-grid.ts";

/** The best set of a grid, and how far it stands above its neighbours. */
export interface Flatness {
  /** Index of the set with the highest Sharpe ratio; -1 where none moves. */
  readonly best: number;
  /** Best less the median of its neighbours, yearly Sharpe ratios; NaN with fewer than two that move. */
  readonly drop: number;
  readonly neighbours: number;
}

const NEIGHBOURS_MIN = 2;

export function flatnessOf(grid: ParameterGrid, sharpes: readonly number[]): Flatness {
  const best = pickOf(sharpes);
  if (best < 0) return { best, drop: NaN, neighbours: 0 };
  const around = neighboursOf(grid, best)
    .map((set) => sharpes[set]!) // each set has one
    .filter((sharpe) => !Number.isNaN(sharpe));
  const drop = around.length < NEIGHBOURS_MIN ? NaN : sharpes[best]! - median(around);
  return { best, drop, neighbours: around.length };
}
