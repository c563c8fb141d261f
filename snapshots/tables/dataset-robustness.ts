import { ROBUSTNESS_METHOD, type BlockDays } from "../../quant/robustness/definition.ts";
import type { RobustnessRow } from "../../quant/robustness/report.ts";
import { columnsOf, fraction, integer, listed, percent, ratio, rowsOf, text } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { valueAt, type Table, type TableBlock } from "./table.ts";

/** A row with what all rows share. */
interface PlacedRow extends RobustnessRow {
  readonly draws: number;
}

function nullColumns(days: BlockDays): Columns<PlacedRow> {
  return columnsOf<PlacedRow>()({
    [`null_${days}_low`]: ratio(
      `5 % of the draws with days permuted in blocks of 1 to ${days} have a lower out-of-sample premium; NULL where none are made`,
      ({ nulls }: PlacedRow) => nulls[days].low,
    ),
    [`null_${days}_high`]: ratio(
      "95 % of them have a lower one",
      ({ nulls }: PlacedRow) => nulls[days].high,
    ),
    [`null_${days}_p`]: fraction(
      "(1 + draws with a premium as high) / (1 + draws)",
      ({ nulls }: PlacedRow) => nulls[days].p,
    ),
  });
}

const COLUMNS = columnsOf<PlacedRow>()({
  check: text("name of the check: docs/dataset.md"),
  method: integer("number of the method", () => ROBUSTNESS_METHOD),
  premium_in_sample: ratio(
    "mean over the picks of the pick's in-sample Sharpe less the mean of its cell's runs",
  ),
  premium_out_of_sample: ratio("the same out-of-sample: what choosing was worth"),
  share_kept: fraction("the second over the first; NULL unless the first is above 0"),
  low: ratio("2.5 % of the out-of-sample premiums of coins drawn with replacement are lower"),
  high: ratio("97.5 % of them are lower"),
  picks: integer("picks that moved in both periods"),
  coins: integer("coins they are on"),
  ...nullColumns(5),
  ...nullColumns(60),
  draws: integer("permutations of each kind"),
  pick_growth_pct: percent(
    "of walk_forward: annual growth with the pick of each quarter, geometric mean over the cells",
    ({ growth }) => growth?.pick ?? NaN,
  ),
  default_growth_pct: percent(
    "likewise with the default variant",
    ({ growth }) => growth?.byDefault ?? NaN,
  ),
  mean_variant_growth_pct: percent(
    "likewise as the geometric mean of the 13 variants",
    ({ growth }) => growth?.meanVariant ?? NaN,
  ),
  hold_growth_pct: percent("likewise with the coin held", ({ growth }) => growth?.hold ?? NaN),
});

export const DATASET_ROBUSTNESS: Table = {
  name: "dataset_robustness",
  description:
    "Whether the dataset's finding depends on how it was asked: what the picks were worth beside the other runs of their cells, with error bars. Empty if the run skipped it.",
  key: ["check"],
  arrow: true,
  columns: listed(COLUMNS),
};

export function datasetRobustnessBlock(rows: readonly RobustnessRow[], draws: number): TableBlock {
  return rowsOf(
    COLUMNS,
    rows.map((row) => ({ ...row, draws })),
  );
}

/** Whether a block was made by the method of today. */
export function isRobustness(block: TableBlock): boolean {
  return block.rows > 0 && valueAt(block, "method", 0) === ROBUSTNESS_METHOD;
}
