import { Command } from "commander";
import { choiceReport, type ChoiceReport } from "../quant/dataset/choice-report.ts";
import { RUNS_PER_COIN, inSampleDays } from "../quant/dataset/definition.ts";
import { trialsOf } from "../quant/dataset/trials-record.ts";
import { sharpeRatio } from "../quant/engine/statistics.ts";
import { coinRuns } from "../quant/overfitting/index-coin.ts";
import { VARIANTS_PER_TEMPLATE } from "../quant/strategies/catalogue.ts";
import { STUDIED } from "../quant/strategies/studied.ts";
import { UsageError } from "./usage-error.ts";
import {
  barsOfRun,
  datasetVersion,
  datesOf,
  openDatasetHistory,
  storedRuns,
  templateOf,
} from "./dataset-history.ts";
import { tellMadeUpPrices } from "./current-snapshot.ts";
import { jsonOption, snapshotsOption, tickerOption, settable } from "./shared-options.ts";
import { printTable } from "./text-table.ts";

interface Options {
  readonly coin: string;
  readonly template?: string;
  readonly snapshots: string;
  readonly json?: true;
}

/** `hindsight choice`: what it was worth to pick the best backtest of a coin, or of one template on it. */
export function choiceCommand(): Command {
  return new Command("choice")
    .addOption(tickerOption())
    .addOption(settable("--template <name>", "only this template's 13 runs"))
    .addOption(snapshotsOption())
    .addOption(jsonOption())
    .action(choice);
}

async function choice({ coin, template: name, snapshots, json }: Options): Promise<void> {
  const set = name === undefined ? undefined : STUDIED.indexOf(templateOf(name));
  const history = await openDatasetHistory(snapshots);
  const row = storedRuns(history, coin)[0]!; // throws if there is none
  const { returns } = coinRuns(barsOfRun(history, coin, row));
  const days = inSampleDays(returns[0]!.length); // a coin has 286 runs of one length
  const first = set === undefined ? 0 : set * VARIANTS_PER_TEMPLATE;
  const last = set === undefined ? RUNS_PER_COIN : first + VARIANTS_PER_TEMPLATE;
  const moves = returns.map((run) => !Number.isNaN(sharpeRatio(run, 0, days)));
  const trials = trialsOf(returns, { from: 0, to: days }, moves);
  const report = choiceReport(
    returns.slice(first, last),
    days,
    set === undefined ? trials.coin : trials.cells[set]!, // there is one for each template
  );
  if (report === undefined) {
    throw new UsageError(`fewer than 5 of these runs of "${coin}" moved: there is no choice`);
  }
  const run = first + report.pick;
  const about = {
    snapshot: history.manifest.id,
    synthetic: history.manifest.synthetic,
    dataset: datasetVersion(history),
    coin,
    template: STUDIED[Math.floor(run / VARIANTS_PER_TEMPLATE)]!.name, // the template of the pick
    variant: (run % VARIANTS_PER_TEMPLATE) + 1,
    ...datesOf(row),
  };
  // The thousands of logits are not part of the answer; JSON leaves out what is undefined.
  const answer = { ...about, ...report, cscv: { ...report.cscv, logits: undefined } };
  if (json === true) console.log(JSON.stringify(answer, null, 2));
  else {
    tell(about, report);
    tellMadeUpPrices(history.manifest);
  }
}

function tell(
  about: Readonly<Record<string, string | number | boolean | null>>,
  report: ChoiceReport,
): void {
  const { moved, inSampleSharpe, outOfSampleSharpe, meanCorrelation, cscv } = report;
  console.log(
    `the best of ${moved} runs that moved on ${about["coin"]}: ${about["template"]}, variant ${about["variant"]}; dataset ${about["dataset"]} of ${about["snapshot"]}`,
  );
  console.log(
    `${about["start_date"]} to ${about["end_date"]}, out-of-sample from ${about["out_of_sample_start"]}: Sharpe ${digits(inSampleSharpe)}, then ${digits(outOfSampleSharpe)}\n`,
  );
  const titles = ["trials by", "number", "luck bar", "DSR", "luck bar, own V", "DSR, own V"];
  const rows = report.reckonings.map((each) => [
    each.by,
    digits(each.trials),
    digits(each.luckBar),
    digits(each.deflatedSharpe),
    digits(each.luckBarOfTrials),
    digits(each.deflatedSharpeOfTrials),
  ]);
  printTable(titles, rows);
  const { degradation, dominance } = cscv;
  const facts = [
    ["mean correlation in-sample", digits(meanCorrelation)],
    ["splits of the whole run", String(cscv.splits)],
    ["PBO, ties half", digits(cscv.pbo)],
    ["PBO, ties in full", digits(cscv.pboTiesInFull)],
    ["probability of loss", digits(cscv.probabilityOfLoss)],
    ["slope of out-of-sample on in-sample", digits(degradation.slope)],
    ["R squared of that line", digits(degradation.rSquared)],
    ["picks dominate all, first order", dominance.firstOrder ? "yes" : "no"],
    ["picks dominate all, second order", dominance.secondOrder ? "yes" : "no"],
    ["worst excess of picks below a Sharpe", digits(dominance.worstExcess)],
    ["mean advantage of picks, Sharpe a day", digits(dominance.meanAdvantage)],
  ];
  console.log("");
  printTable(["CSCV", ""], facts);
}

function digits(value: number): string {
  return Number.isNaN(value) ? "none" : String(Number(value.toPrecision(4)));
}
