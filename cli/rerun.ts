import { Command } from "commander";
import { datasetWindow, inSampleDays } from "../quant/dataset/definition.ts";
import { segmentSlices } from "../quant/dataset/segment.ts";
import type { Backtest } from "../quant/engine/backtest.ts";
import { runBacktest } from "../quant/engine/backtest.ts";
import type { Window } from "../quant/engine/simulate.ts";
import { returnStatistics } from "../quant/engine/statistics.ts";
import { VARIANTS_PER_TEMPLATE } from "../quant/strategies/catalogue.ts";
import { createMarket } from "../quant/strategies/market.ts";
import type { Template } from "../quant/strategies/template.ts";
import { flagsOf } from "../quant/strategies/template.ts";
import type { Row } from "../snapshots/dataset-tables.ts";
import type { History } from "../snapshots/history.ts";
import { SnapshotError } from "../snapshots/snapshot-error.ts";
import {
  barsOfRun,
  datasetVersion,
  datesOf,
  openDatasetHistory,
  storedRuns,
  templateOf,
} from "./dataset-history.ts";
import { tellMadeUpPrices } from "./current-snapshot.ts";
import { wholeNumber } from "./option-values.ts";
import { jsonOption, snapshotsOption, tickerOption, settable } from "./shared-options.ts";
import { printTable } from "./text-table.ts";

/**
 * The amount does not matter, because no figure depends on it. With one dollar, fees are fractions without rounding.
 */
const STARTING_CASH = 1;
/** Figures that differ by less are equal: the last digits of percentages in a table are rounded. */
const TOLERANCE = 1e-9;
const EXIT_DIFFERS = 1;

interface Options {
  readonly template: string;
  readonly coin: string;
  readonly variant: number;
  readonly snapshots: string;
  readonly json?: true;
}

/** A figure of the repeated run beside the one in the table; null if there is none. */
interface Compared {
  readonly figure: string;
  readonly rerun: number | null;
  readonly stored: number | null;
}

/**
 * `hindsight rerun`: makes one run of the dataset again, from the snapshot's prices. Exit code 1 if a figure
 * differs.
 */
export function rerunCommand(): Command {
  return new Command("rerun")
    .addOption(settable("--template <name>", "name of the template").makeOptionMandatory())
    .addOption(tickerOption())
    .addOption(
      settable("--variant <number>", "1 to 13; 1 is the default variant")
        .default(1)
        .argParser(wholeNumber(1, VARIANTS_PER_TEMPLATE)),
    )
    .addOption(snapshotsOption())
    .addOption(jsonOption())
    .action(rerun);
}

async function rerun(options: Options): Promise<void> {
  const template = templateOf(options.template);
  const history = await openDatasetHistory(options.snapshots);
  const row = storedRun(history, options);
  const compared = compare(row, runAgain(history, row, { ...options, template }));
  const differs = compared.some(isDifferent);
  tell({ history, row, template, options, compared, differs });
  if (differs) process.exitCode = EXIT_DIFFERS;
}

function storedRun(history: History, { template, coin, variant }: Options): Row {
  const found = storedRuns(history, coin).find(
    (row) => row["template"] === template && row["variant"] === variant,
  );
  if (found === undefined) throw new SnapshotError(`the dataset has no such run of "${coin}"`);
  return found;
}

/** The same run by the engine of single backtests. */
function runAgain(
  history: History,
  row: Row,
  { template, coin, variant }: { template: Template; coin: string; variant: number },
): Backtest {
  const bars = barsOfRun(history, coin, row);
  const window = datasetWindow(bars.day.length);
  const params = template.variants[variant - 1]!; // checked when the option was read
  const flags = flagsOf(template, createMarket(bars), params);
  return runBacktest({ bars, flags, window, startingCash: STARTING_CASH });
}

function compare(row: Row, backtest: Backtest): Compared[] {
  const { returns, days, trades } = backtest;
  const slices = segmentSlices(returns.length, inSampleDays(returns.length));
  const segment = (prefix: string, { from, to }: Window): Compared[] => {
    const figures = returnStatistics(returns, from, to);
    const bought = trades.filter(
      ({ entryDay }) => entryDay >= days[from]! && entryDay <= days[to - 1]!, // from < to <= days
    );
    const values = {
      days: figures.days,
      sharpe: figures.sharpe,
      return_pct: figures.totalReturn * 100,
      max_drawdown_pct: figures.maxDrawdown * 100,
      trades: bought.length,
      skew: figures.skew,
      kurtosis: figures.kurtosis,
    };
    return Object.entries(values).map(([name, value]) => compared(row, `${prefix}_${name}`, value));
  };
  return [
    ...segment("in_sample", slices.inSample),
    ...segment("out_of_sample", slices.outOfSample),
    ...segment("whole", slices.whole),
    compared(row, "whole_exposure_pct", backtest.exposure * 100),
    compared(row, "fees_pct", backtest.fees * 100),
  ];
}

function compared(row: Row, figure: string, value: number): Compared {
  const stored = row[figure];
  return {
    figure,
    rerun: Number.isNaN(value) ? null : value,
    stored: typeof stored === "number" ? stored : null,
  };
}

function isDifferent({ rerun: again, stored }: Compared): boolean {
  if (again === null || stored === null) return again !== stored;
  return Math.abs(again - stored) > TOLERANCE * Math.max(1, Math.abs(stored));
}

function tell(run: {
  readonly history: History;
  readonly row: Row;
  readonly template: Template;
  readonly options: Options;
  readonly compared: readonly Compared[];
  readonly differs: boolean;
}): void {
  const { history, row, template, options, compared: figures, differs } = run;
  const about = {
    snapshot: history.manifest.id,
    synthetic: history.manifest.synthetic,
    dataset: datasetVersion(history),
    template: template.name,
    coin: options.coin,
    variant: options.variant,
    params: template.variants[options.variant - 1],
    ...datesOf(row),
  };
  if (options.json === true) {
    console.log(JSON.stringify({ ...about, agrees: !differs, figures }, null, 2));
    return;
  }
  console.log(
    `${about.template} on ${about.coin}, variant ${about.variant} ${JSON.stringify(about.params)}`,
  );
  console.log(
    `${about.start_date} to ${about.end_date}, out-of-sample from ${about.out_of_sample_start}; dataset ${about.dataset ?? "unknown"} of ${about.snapshot}\n`,
  );
  const lines = figures.map((each) => [
    each.figure,
    textOf(each.rerun),
    textOf(each.stored),
    isDifferent(each) ? "differs" : "",
  ]);
  printTable(["figure", "rerun", "stored", ""], lines);
  console.log(
    differs ? "\nThe figures differ: the prices were revised since." : "\nAll figures agree.",
  );
  tellMadeUpPrices(history.manifest);
}

function textOf(value: number | null): string {
  return value === null ? "none" : String(Number(value.toPrecision(10)));
}
