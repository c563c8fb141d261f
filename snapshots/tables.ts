import { BUY_HOLD } from "./tables/buy-hold.ts";
import { DATASET } from "./tables/dataset.ts";
import { DATASET_AGGREGATES } from "./tables/dataset-aggregates.ts";
import { DATASET_BLOCKS } from "./tables/dataset-blocks.ts";
import { DATASET_CELLS } from "./tables/dataset-cells.ts";
import { DATASET_PICKS } from "./tables/dataset-picks.ts";
import { DATASET_ROBUSTNESS } from "./tables/dataset-robustness.ts";
import { DATASET_RUNS } from "./tables/dataset-runs.ts";
import { DCA } from "./tables/dca.ts";
import { INDICATORS } from "./tables/indicators.ts";
import { OVERFITTING_INDEX } from "./tables/overfitting-index.ts";
import { OVERFITTING_INDEX_DRAWS } from "./tables/overfitting-index-draws.ts";
import { PRICES } from "./tables/prices.ts";
import { RATING_RETURNS, RATING_WORTH } from "./tables/rating-worth.ts";
import { REJECTS } from "./tables/rejects.ts";
import { SIGNALS } from "./tables/signals.ts";
import { STRATEGIES, VARIANTS } from "./tables/strategies.ts";
import type { Table } from "./tables/table.ts";

/** Every table of a snapshot, in the order of the documentation. */
export const TABLES: readonly Table[] = [
  PRICES,
  REJECTS,
  INDICATORS,
  SIGNALS,
  RATING_WORTH,
  RATING_RETURNS,
  BUY_HOLD,
  DCA,
  STRATEGIES,
  VARIANTS,
  DATASET,
  DATASET_RUNS,
  DATASET_BLOCKS,
  DATASET_PICKS,
  DATASET_CELLS,
  DATASET_AGGREGATES,
  DATASET_ROBUSTNESS,
  OVERFITTING_INDEX,
  OVERFITTING_INDEX_DRAWS,
];
