import type { KnownRun } from "../../quant/check/afterwards.ts";
import type { CellRecord, CoinRecord, RunRecord } from "../../quant/dataset/record.ts";
import { columnsOf, date, double, integer, listed, percent } from "./columns.ts";
import { ratio, rowsOf, text, within } from "./columns.ts";
import { segmentColumns } from "./segment-columns.ts";
import { constantText, doubles, integers, type Table, type TableBlock } from "./table.ts";

/** A run with its coin and cell. */
interface PlacedRun {
  readonly coin: CoinRecord;
  readonly cell: CellRecord;
  readonly run: RunRecord;
}

const COLUMNS = columnsOf<PlacedRun>()({
  template: text("name of the template", ({ cell }) => cell.template),
  variant: integer("1 to 13; 1 is the default", ({ run }) => run.variant),
  start_date: date(
    "first day of the run, the 201st of the coin's history",
    ({ coin }) => coin.firstDay,
  ),
  out_of_sample_start: date(
    "first out-of-sample day; the day before is the last in-sample one",
    ({ coin }) => coin.splitDay,
  ),
  end_date: date("last day of the run", ({ coin }) => coin.lastDay),
  ...within(
    ({ run }: PlacedRun) => run.segments.inSample,
    segmentColumns("in_sample", "in-sample"),
  ),
  ...within(
    ({ run }: PlacedRun) => run.segments.outOfSample,
    segmentColumns("out_of_sample", "out-of-sample"),
  ),
  ...within(
    ({ run }: PlacedRun) => run.segments.whole,
    segmentColumns("whole", "of the whole run"),
  ),
  out_of_sample_rank: double("rank")(
    "rank of the out-of-sample Sharpe among the variants, 1 best, ties averaged; NULL when nothing moved",
    ({ cell, run }: PlacedRun) => cell.outOfSampleRanks[run.variant - 1] ?? NaN,
  ),
  fees_pct: percent(
    "fees of the whole run against its starting cash; slippage is in the prices",
    ({ run }) => run.fees,
  ),
  double_costs_in_sample_sharpe: ratio(
    "in-sample Sharpe when fee and slippage are twice as high",
    ({ run }) => run.doubled.inSampleSharpe,
  ),
  double_costs_out_of_sample_sharpe: ratio(
    "out-of-sample Sharpe when fee and slippage are twice as high",
    ({ run }) => run.doubled.outOfSampleSharpe,
  ),
  double_costs_out_of_sample_return_pct: percent(
    "out-of-sample return when fee and slippage are twice as high",
    ({ run }) => run.doubled.outOfSampleReturn,
  ),
});

export const DATASET_RUNS: Table = {
  name: "dataset_runs",
  description:
    "The curve-fitting dataset: every run of a template on a coin with a variant, one continuous run from start_date to end_date.",
  key: ["coin", "template", "variant"],
  arrow: true,
  columns: listed({ coin: text("lower-case ticker"), ...COLUMNS }),
};

/** One coin's runs, templates in catalogue order. */
export function datasetRunsBlock(coin: CoinRecord): TableBlock {
  const runs = coin.cells.flatMap((cell) => cell.runs.map((run) => ({ coin, cell, run })));
  const { rows, columns } = rowsOf(COLUMNS, runs);
  return { rows, columns: { coin: coin.coin, ...columns } };
}

export type RunColumns = ReturnType<typeof runColumnsOf>;

/** What a check needs of a coin's runs, as columns. */
export function runColumnsOf(block: TableBlock) {
  return {
    coin: constantText(block, "coin"),
    inSampleSharpe: doubles(block, "in_sample_sharpe"),
    inSampleDays: integers(block, "in_sample_days"),
    laterSharpe: doubles(block, "out_of_sample_sharpe"),
  } as const;
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
