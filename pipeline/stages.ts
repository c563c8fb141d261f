import type { ComputePool } from "./compute-pool.ts";
import { buyHold } from "./stages/buy-hold.ts";
import { dataset } from "./stages/dataset.ts";
import { datasetRobustness } from "./stages/dataset-robustness.ts";
import { dca } from "./stages/dca.ts";
import { indicators } from "./stages/indicators.ts";
import { overfittingIndex } from "./stages/overfitting-index.ts";
import { prices } from "./stages/prices.ts";
import { ratingWorthStage } from "./stages/rating-worth.ts";
import type { Stage } from "./stages/stage.ts";
import { strategies } from "./stages/strategies.ts";

/** What the stages need that differs from run to run. */
export interface StageOptions {
  /** Permutations for the band of a month of the index: 0 for none, else at least 2. */
  readonly indexDraws: number;
  /** How many months of the index get their band in this run; 1 by default. */
  readonly indexBands?: number | undefined;
  /** The newest months of the index that are computed if they are missing; all of them by default. */
  readonly indexMonths?: number | undefined;
  /** Permutations of each kind for the robustness of the dataset: 0 to skip it, else at least 2. */
  readonly robustnessDraws: number;
}

/** The stages of a run, in order. */
export function stagesOf(pool: ComputePool, options: StageOptions): readonly Stage[] {
  const { indexDraws, indexBands, indexMonths, robustnessDraws } = options;
  return [
    prices,
    indicators,
    buyHold,
    dca,
    strategies,
    ratingWorthStage,
    // The index comes before the dataset: its months are computed while the large tables are still being written,
    // which leaves the cores to the dataset.
    overfittingIndex(pool, { draws: indexDraws, bandsMax: indexBands, monthsMax: indexMonths }),
    dataset(pool),
    datasetRobustness(pool, robustnessDraws),
  ];
}
