import type { ComputePool } from "./compute-pool.ts";
import { buyHold } from "./stages/buy-hold.ts";
import { dataset } from "./stages/dataset.ts";
import { datasetRobustness } from "./stages/dataset-robustness.ts";
import { dca } from "./stages/dca.ts";
import { indicators } from "./stages/indicators.ts";
import { overfittingIndex } from "./stages/overfitting-index.ts";
import { prices } from "./stages/prices.ts";
import type { Stage } from "./stages/stage.ts";
import { strategies } from "./stages/strategies.ts";

/** What the stages need that differs from run to run. */
interface StageOptions {
  readonly pool: ComputePool;
  /** Permutations for the index's band: 0 for none, else at least 2. */
  readonly indexDraws: number;
  /** The newest months of the index that are computed if they are missing; all of them by default. */
  readonly indexMonths?: number | undefined;
  /** Permutations of each kind for the robustness of the dataset: 0 to skip it, else at least 2. */
  readonly robustnessDraws: number;
}

/** The stages of a run. The runner orders them by what they read and write. */
export function stagesOf(options: StageOptions): readonly Stage[] {
  const { pool, indexDraws, indexMonths, robustnessDraws } = options;
  return [
    prices,
    indicators,
    buyHold,
    dca,
    strategies,
    // The index comes first: its months are computed while the large tables are still being written, which
    // leaves the cores to the dataset.
    overfittingIndex(pool, { draws: indexDraws, monthsMax: indexMonths }),
    dataset(pool),
    datasetRobustness(pool, { draws: robustnessDraws }),
  ];
}
