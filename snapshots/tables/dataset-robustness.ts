import { ROBUSTNESS_METHOD } from "../../quant/robustness/definition.ts";
import type { RobustnessRow } from "../../quant/robustness/report.ts";
import type { ComputedColumn } from "./computed-column.ts";
import { computed, definitionsOf, rowsOf } from "./computed-column.ts";
import type { Table, TableBlock } from "./table.ts";
import { valueAt } from "./table.ts";

/** A row with what all rows share. */
interface PlacedRow {
  readonly row: RobustnessRow;
  readonly draws: number;
}

const percent = (growth: number | undefined) => (growth ?? NaN) * 100;

const COLUMNS: readonly ComputedColumn<PlacedRow>[] = [
  computed(["check", "text"], "name of the check: docs/dataset.md", ({ row }) => row.check),
  computed(["method", "integer"], "number of the method", () => ROBUSTNESS_METHOD),
  computed(
    ["premium_in_sample", "double", "ratio"],
    "mean over the picks of the pick's in-sample Sharpe less the mean of its cell's runs",
    ({ row }) => row.premiumInSample,
  ),
  computed(
    ["premium_out_of_sample", "double", "ratio"],
    "the same out-of-sample: what choosing was worth",
    ({ row }) => row.premiumOutOfSample,
  ),
  computed(
    ["share_kept", "double", "fraction"],
    "the second over the first; NULL unless the first is above 0",
    ({ row }) => row.shareKept,
  ),
  computed(
    ["low", "double", "ratio"],
    "2.5 % of the out-of-sample premiums of coins drawn with replacement are lower",
    ({ row }) => row.low,
  ),
  computed(["high", "double", "ratio"], "97.5 % of them are lower", ({ row }) => row.high),
  computed(["picks", "integer"], "picks that moved in both periods", ({ row }) => row.picks),
  computed(["coins", "integer"], "coins they are on", ({ row }) => row.coins),
  ...([5, 60] as const).flatMap((days) => [
    computed<PlacedRow>(
      [`null_${days}_low`, "double", "ratio"],
      `5 % of the draws with days permuted in blocks of 1 to ${days} have a lower out-of-sample premium; NULL where none are made`,
      ({ row }) => row.nulls[days].low,
    ),
    computed<PlacedRow>(
      [`null_${days}_high`, "double", "ratio"],
      "95 % of them have a lower one",
      ({ row }) => row.nulls[days].high,
    ),
    computed<PlacedRow>(
      [`null_${days}_p`, "double", "fraction"],
      "(1 + draws with a premium as high) / (1 + draws)",
      ({ row }) => row.nulls[days].p,
    ),
  ]),
  computed(["draws", "integer"], "permutations of each kind", ({ draws }) => draws),
  computed(
    ["pick_growth_pct", "double", "percent"],
    "of walk_forward: annual growth with the pick of each quarter, geometric mean over the cells",
    ({ row }) => percent(row.growth?.pick),
  ),
  computed(
    ["default_growth_pct", "double", "percent"],
    "likewise with the default variant",
    ({ row }) => percent(row.growth?.byDefault),
  ),
  computed(
    ["mean_variant_growth_pct", "double", "percent"],
    "likewise as the geometric mean of the 13 variants",
    ({ row }) => percent(row.growth?.meanVariant),
  ),
  computed(["hold_growth_pct", "double", "percent"], "likewise with the coin held", ({ row }) =>
    percent(row.growth?.hold),
  ),
];

export const DATASET_ROBUSTNESS: Table = {
  name: "dataset_robustness",
  description:
    "Whether the dataset's finding depends on how it was asked: what the picks were worth beside the other runs of their cells, with error bars. Empty if the run skipped it.",
  key: ["check"],
  arrow: true,
  columns: definitionsOf(COLUMNS),
};

export function datasetRobustnessBlock(rows: readonly RobustnessRow[], draws: number): TableBlock {
  return {
    rows: rows.length,
    columns: rowsOf(
      COLUMNS,
      rows.map((row) => ({ row, draws })),
    ),
  };
}

/** Whether a block was made by the method of today. */
export function isRobustness(block: TableBlock): boolean {
  return block.rows > 0 && valueAt(block, "method", 0) === ROBUSTNESS_METHOD;
}
