import type { KnownRun } from "../../quant/check/afterwards.ts";
import type { CellRecord, CoinRecord, RunRecord } from "../../quant/dataset/record.ts";
import type { ComputedColumn } from "./computed-column.ts";
import { computed, definitionsOf, rowsOf } from "./computed-column.ts";
import { segmentColumns } from "./segment-columns.ts";
import type { Table, TableBlock } from "./table.ts";
import { column, constantText, doubles, integers } from "./table.ts";

/** A run with its coin and cell. */
interface PlacedRun {
  readonly coin: CoinRecord;
  readonly cell: CellRecord;
  readonly run: RunRecord;
}

const COLUMNS: readonly ComputedColumn<PlacedRun>[] = [
  computed(["template", "text"], "name of the template", ({ cell }) => cell.template),
  computed(["variant", "integer"], "1 to 13; 1 is the default", ({ run }) => run.variant),
  computed(
    ["start_date", "date"],
    "first day of the run, the 201st of the coin's history",
    ({ coin }) => coin.firstDay,
  ),
  computed(
    ["out_of_sample_start", "date"],
    "first out-of-sample day; the day before is the last in-sample one",
    ({ coin }) => coin.splitDay,
  ),
  computed(["end_date", "date"], "last day of the run", ({ coin }) => coin.lastDay),
  ...segmentColumns(
    { prefix: "in_sample", words: "in-sample" },
    ({ run }: PlacedRun) => run.segments.inSample,
  ),
  ...segmentColumns(
    { prefix: "out_of_sample", words: "out-of-sample" },
    ({ run }: PlacedRun) => run.segments.outOfSample,
  ),
  ...segmentColumns(
    { prefix: "whole", words: "of the whole run" },
    ({ run }: PlacedRun) => run.segments.whole,
  ),
  computed(
    ["out_of_sample_rank", "double", "rank"],
    "rank of the out-of-sample Sharpe among the variants, 1 best, ties averaged; NULL when nothing moved",
    ({ cell, run }) => cell.outOfSampleRanks[run.variant - 1] ?? NaN,
  ),
  computed(
    ["fees_pct", "double", "percent"],
    "fees of the whole run against its starting cash; slippage is in the prices",
    ({ run }) => run.fees * 100,
  ),
  computed(
    ["double_costs_in_sample_sharpe", "double", "ratio"],
    "in-sample Sharpe when fee and slippage are twice as high",
    ({ run }) => run.doubled.inSampleSharpe,
  ),
  computed(
    ["double_costs_out_of_sample_sharpe", "double", "ratio"],
    "out-of-sample Sharpe when fee and slippage are twice as high",
    ({ run }) => run.doubled.outOfSampleSharpe,
  ),
  computed(
    ["double_costs_out_of_sample_return_pct", "double", "percent"],
    "out-of-sample return when fee and slippage are twice as high",
    ({ run }) => run.doubled.outOfSampleReturn * 100,
  ),
];

export const DATASET_RUNS: Table = {
  name: "dataset_runs",
  description:
    "The curve-fitting dataset: every run of a template on a coin with a variant, one continuous run from start_date to end_date.",
  key: ["coin", "template", "variant"],
  arrow: true,
  columns: [column(["coin", "text"], "lower-case ticker"), ...definitionsOf(COLUMNS)],
};

/** One coin's runs, templates in catalogue order. */
export function datasetRunsBlock(coin: CoinRecord): TableBlock {
  const runs = coin.cells.flatMap((cell) => cell.runs.map((run) => ({ coin, cell, run })));
  return { rows: runs.length, columns: { coin: coin.coin, ...rowsOf(COLUMNS, runs) } };
}

/** What a check needs of a coin's runs, as columns. */
export interface RunColumns {
  readonly coin: string;
  readonly inSampleSharpe: Float64Array;
  readonly inSampleDays: Int32Array;
  readonly laterSharpe: Float64Array;
}

export function runColumnsOf(block: TableBlock): RunColumns {
  return {
    coin: constantText(block, "coin"),
    inSampleSharpe: doubles(block, "in_sample_sharpe"),
    inSampleDays: integers(block, "in_sample_days"),
    laterSharpe: doubles(block, "out_of_sample_sharpe"),
  };
}

/** The runs of several coins, one by one. */
export function knownRunsOf(columns: readonly RunColumns[]): KnownRun[] {
  return columns.flatMap(({ coin, inSampleSharpe, inSampleDays, laterSharpe }) =>
    Array.from(inSampleDays, (days, run) => ({
      coin,
      inSampleSharpe: inSampleSharpe[run]!,
      inSampleDays: days,
      laterSharpe: laterSharpe[run]!,
    })),
  );
}
