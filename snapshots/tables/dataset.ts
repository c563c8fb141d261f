import { DATASET_METHOD, RUNS_PER_COIN } from "../../quant/dataset/definition.ts";
import { lastDayOfMonth, monthText, type Month } from "../../quant/month.ts";
import type { CoinRecord } from "../../quant/dataset/record.ts";
import { VARIANTS_PER_TEMPLATE } from "../../quant/strategies/catalogue.ts";
import { STUDIED } from "../../quant/strategies/studied.ts";
import { blockOfOne, columnsOf, date, integer, listed, text } from "./columns.ts";
import { valueAt, type Table, type TableBlock } from "./table.ts";

/** What distinguishes one dataset from another. */
export interface DatasetIdentity {
  readonly month: Month;
  readonly catalogue: string;
}

interface Dataset extends DatasetIdentity {
  readonly coins: readonly CoinRecord[];
  readonly picks: number;
}

const COLUMNS = columnsOf<Dataset>()({
  version: text("month it was built for, YYYY-MM; it does not change until the next", ({ month }) =>
    monthText(month),
  ),
  as_of: date("last day used: that month's last", ({ month }) => lastDayOfMonth(month)),
  method: integer(
    "number of the method; another one means other figures from the same prices",
    () => DATASET_METHOD,
  ),
  catalogue: text("fingerprint of the templates and their variants"),
  templates: integer("templates", () => STUDIED.length),
  coins: integer("coins", ({ coins }) => coins.length),
  variants: integer("variants of each template", () => VARIANTS_PER_TEMPLATE),
  runs: integer("runs: their product", ({ coins }) => coins.length * RUNS_PER_COIN),
  picks: integer("picks: one for each template and coin"),
  first_date: date("first day of the run that begins first; NULL without coins", ({ coins }) =>
    dayOrNull(Math.min(...coins.map(({ firstDay }) => firstDay))),
  ),
  last_date: date("last day of the run that ends last; NULL without coins", ({ coins }) =>
    dayOrNull(Math.max(...coins.map(({ lastDay }) => lastDay))),
  ),
});

/** The first or last of no days is infinite. */
function dayOrNull(day: number): number | null {
  return Number.isFinite(day) ? day : null;
}

export const DATASET: Table = {
  name: "dataset",
  description:
    "What the curve-fitting dataset of this snapshot is. The tables dataset_runs, dataset_blocks, dataset_picks, dataset_cells and dataset_aggregates belong to it.",
  key: ["version"],
  arrow: true,
  columns: listed(COLUMNS),
};

export function datasetBlock(
  identity: DatasetIdentity,
  coins: readonly CoinRecord[],
  picks: number,
): TableBlock {
  return blockOfOne(COLUMNS, { ...identity, coins, picks });
}

export type DatasetAbout = ReturnType<typeof datasetAboutOf>;

/** The content of the table for readers. Days are integers since 1970-01-01. */
export function datasetAboutOf(block: TableBlock) {
  const number = (name: string) => Number(valueAt(block, name, 0));
  return {
    version: String(valueAt(block, "version", 0)),
    asOf: number("as_of"),
    templates: number("templates"),
    coins: number("coins"),
    variants: number("variants"),
    runs: number("runs"),
    picks: number("picks"),
  } as const;
}

/** Whether a block holds that dataset, so that its figures need not be computed again. */
export function isDataset(block: TableBlock, { month, catalogue }: DatasetIdentity): boolean {
  return (
    valueAt(block, "version", 0) === monthText(month) &&
    valueAt(block, "catalogue", 0) === catalogue &&
    valueAt(block, "method", 0) === DATASET_METHOD
  );
}
