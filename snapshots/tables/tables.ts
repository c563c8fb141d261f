import { BUY_HOLD } from "./buy-hold.ts";
import { DATASET } from "./dataset.ts";
import { DATASET_AGGREGATES } from "./dataset-aggregates.ts";
import { DATASET_BLOCKS } from "./dataset-blocks.ts";
import { DATASET_CELLS } from "./dataset-cells.ts";
import { DATASET_PICKS } from "./dataset-picks.ts";
import { DATASET_ROBUSTNESS } from "./dataset-robustness.ts";
import { DATASET_RUNS } from "./dataset-runs.ts";
import { DCA } from "./dca.ts";
import { INDICATORS } from "./indicators.ts";
import { OVERFITTING_INDEX } from "./overfitting-index.ts";
import { OVERFITTING_INDEX_DRAWS } from "./overfitting-index-draws.ts";
import { PRICES } from "./prices.ts";
import { RATING_RETURNS, RATING_WORTH } from "./rating-worth.ts";
import { REJECTS } from "./rejects.ts";
import { SIGNALS } from "./signals.ts";
import { STRATEGIES, VARIANTS } from "./strategies.ts";
import type { Table } from "./table.ts";

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
