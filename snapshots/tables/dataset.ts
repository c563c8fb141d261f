import { DATASET_METHOD, RUNS_PER_COIN } from "../../quant/dataset/definition.ts";
import type { Month } from "../../quant/month.ts";
import { lastDayOfMonth, monthText } from "../../quant/month.ts";
import type { CoinRecord } from "../../quant/dataset/record.ts";
import { CATALOGUE, VARIANTS_PER_TEMPLATE } from "../../quant/strategies/catalogue.ts";
import type { Table, TableBlock } from "./table.ts";
import { valueAt } from "./table.ts";

export const DATASET: Table = {
  name: "dataset",
  description:
    "What the curve-fitting dataset of this snapshot is. The tables dataset_runs, dataset_blocks, dataset_picks, dataset_cells and dataset_aggregates belong to it.",
  key: ["version"],
  arrow: true,
  columns: [
    {
      name: "version",
      type: "text",
      unit: "",
      description: "month it was built for, YYYY-MM; it does not change until the next",
    },
    { name: "as_of", type: "date", unit: "", description: "last day used: that month's last" },
    {
      name: "method",
      type: "integer",
      unit: "",
      description: "number of the method; another one means other figures from the same prices",
    },
    {
      name: "catalogue",
      type: "text",
      unit: "",
      description: "fingerprint of the templates and their variants",
    },
    { name: "templates", type: "integer", unit: "", description: "templates" },
    { name: "coins", type: "integer", unit: "", description: "coins" },
    { name: "variants", type: "integer", unit: "", description: "variants of each template" },
    { name: "runs", type: "integer", unit: "", description: "runs: their product" },
    {
      name: "picks",
      type: "integer",
      unit: "",
      description: "picks: one for each template and coin",
    },
    {
      name: "first_date",
      type: "date",
      unit: "",
      description: "first day of the run that begins first; NULL without coins",
    },
    {
      name: "last_date",
      type: "date",
      unit: "",
      description: "last day of the run that ends last; NULL without coins",
    },
  ],
};

/** What distinguishes one dataset from another. */
export interface DatasetIdentity {
  readonly month: Month;
  readonly catalogue: string;
}

export function datasetBlock(
  { month, catalogue }: DatasetIdentity,
  coins: readonly CoinRecord[],
  picks: number,
): TableBlock {
  const days = (values: readonly number[], pick: (...days: number[]) => number) =>
    values.length === 0 ? null : pick(...values);
  return {
    rows: 1,
    columns: {
      version: monthText(month),
      as_of: [lastDayOfMonth(month)],
      method: [DATASET_METHOD],
      catalogue,
      templates: [CATALOGUE.length],
      coins: [coins.length],
      variants: [VARIANTS_PER_TEMPLATE],
      runs: [coins.length * RUNS_PER_COIN],
      picks: [picks],
      first_date: [
        days(
          coins.map(({ firstDay }) => firstDay),
          Math.min,
        ),
      ],
      last_date: [
        days(
          coins.map(({ lastDay }) => lastDay),
          Math.max,
        ),
      ],
    },
  };
}

/** The content of the table for readers. Days are integers since 1970-01-01. */
export interface DatasetAbout {
  readonly version: string;
  readonly asOf: number;
  readonly templates: number;
  readonly coins: number;
  readonly variants: number;
  readonly runs: number;
  readonly picks: number;
}

export function datasetAboutOf(block: TableBlock): DatasetAbout {
  const number = (name: string) => Number(valueAt(block, name, 0));
  return {
    version: String(valueAt(block, "version", 0)),
    asOf: number("as_of"),
    templates: number("templates"),
    coins: number("coins"),
    variants: number("variants"),
    runs: number("runs"),
    picks: number("picks"),
  };
}

/** Whether a block holds that dataset, so that its figures need not be computed again. */
export function isDataset(block: TableBlock, { month, catalogue }: DatasetIdentity): boolean {
  return (
    valueAt(block, "version", 0) === monthText(month) &&
    valueAt(block, "catalogue", 0) === catalogue &&
    valueAt(block, "method", 0) === DATASET_METHOD
  );
}
