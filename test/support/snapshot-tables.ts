import { BUY_HOLD } from "../../snapshots/tables/buy-hold.ts";
import { DATASET } from "../../snapshots/tables/dataset.ts";
import { DATASET_AGGREGATES } from "../../snapshots/tables/dataset-aggregates.ts";
import { DATASET_BLOCKS } from "../../snapshots/tables/dataset-blocks.ts";
import { DATASET_CELLS } from "../../snapshots/tables/dataset-cells.ts";
import { DATASET_PICKS } from "../../snapshots/tables/dataset-picks.ts";
import { DATASET_ROBUSTNESS } from "../../snapshots/tables/dataset-robustness.ts";
import { DATASET_RUNS } from "../../snapshots/tables/dataset-runs.ts";
import { DCA } from "../../snapshots/tables/dca.ts";
import { INDICATORS } from "../../snapshots/tables/indicators.ts";
import { OVERFITTING_INDEX } from "../../snapshots/tables/overfitting-index.ts";
import { OVERFITTING_INDEX_DRAWS } from "../../snapshots/tables/overfitting-index-draws.ts";
import { PRICES } from "../../snapshots/tables/prices.ts";
import { RATING_RETURNS, RATING_WORTH } from "../../snapshots/tables/rating-worth.ts";
import { REJECTS } from "../../snapshots/tables/rejects.ts";
import { SIGNALS } from "../../snapshots/tables/signals.ts";
import { STRATEGIES, VARIANTS } from "../../snapshots/tables/strategies.ts";
import type { Table } from "../../snapshots/tables/table.ts";

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
