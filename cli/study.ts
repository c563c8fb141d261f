import { Command, InvalidArgumentError } from "commander";
import { csvOf } from "../api/csv.ts";
import { runsTable, StudyResult } from "../api/study.ts";
import type { Bars } from "../quant/bars.ts";
import { dayOfDate } from "../quant/calendar.ts";
import { DEFAULT_COSTS } from "../quant/engine/costs.ts";
import { ENGINE_VERSION } from "../quant/engine/version.ts";
import { CATALOGUE, findTemplate } from "../quant/strategies/catalogue.ts";
import { legalValues } from "../quant/strategies/legal.ts";
import type { Template } from "../quant/strategies/template.ts";
import {
  assertStudySize,
  runAskedStudy,
  studyDays,
  type AskedStudy,
} from "../quant/studies/asked-study.ts";
import { parameterGrid, typedValues, type AskedValues } from "../quant/studies/parameter-grid.ts";
import { progressLine } from "./progress-line.ts";
import { UsageError } from "./usage-error.ts";
import { madeToday, writeReport } from "./report-file.ts";
import { currentSnapshot, MADE_UP_COIN } from "./current-snapshot.ts";
import { allowed, lowerCase, notEmpty, numberThat, wholeNumber } from "./option-values.ts";
import { jsonOption, snapshotsOption } from "./shared-options.ts";
import { timesInHundred } from "../quant/check/verdict-sentence.ts";
import { nearestTo } from "../server/routes/nearest.ts";
import { terminalText } from "./terminal-text.ts";
import { textTable } from "./text-table.ts";

const COST_MAX_PCT = 10;

interface Options {
  readonly coin: string;
  readonly param?: AskedValues;
  readonly start?: number;
  readonly end?: number;
  readonly fee: number;
  readonly slippage: number;
  readonly folds?: number;
  readonly train?: number;
  readonly test?: number;
  readonly nTrials?: number;
  readonly snapshots: string;
  readonly json?: true;
  readonly csv?: string;
  readonly html?: string;
}

/** `hindsight study`: every set of lists of parameters on a coin of the snapshot, and how much of the best is luck. */
export function studyCommand(): Command {
  const aFile = notEmpty("the path of a file");
  const count = wholeNumber(1);
  const day = allowed("are dates as YYYY-MM-DD", dayOfDate);
  const cost = numberThat(
    `numbers from 0 to ${COST_MAX_PCT}`,
    (percent) => percent >= 0 && percent <= COST_MAX_PCT,
  );
  return new Command("study")
    .argument("[strategy]", "name of a template, such as ma_cross; without it, all are listed")
    .option("--coin <ticker>", "a coin of the snapshot", lowerCase, "btc")
    .option(
      "--param <name=values>",
      "fast=5,10,20 or slow=50..200:10 (from, to and step); once for each parameter",
      collected,
    )
    .option("--start <date>", "first day of every run; by default after 200 days", day)
    .option("--end <date>", "last day of every run; by default the coin's last", day)
    .option("--fee <percent>", "of the traded value, each fill", cost, percentOf("feeRate"))
    .option("--slippage <percent>", "against the open, each fill", cost, percentOf("slippageRate"))
    .option("--folds <number>", "walk forward over the second half, in so many tests", count)
    .option("--train <days>", "walk forward: days to choose on, instead of --folds", count)
    .option("--test <days>", "walk forward: days of each test", count)
    .option("--n-trials <number>", "sets tried in all, these included", count)
    .option("--csv <file>", "write every set as CSV, too", aFile)
    .option("--html <file>", "write the report as one HTML file, too", aFile)
    .addOption(snapshotsOption())
    .addOption(jsonOption())
    .action(study);
}

const percentOf = (rate: keyof typeof DEFAULT_COSTS) => 100 * DEFAULT_COSTS[rate];

function collected(text: string, before: AskedValues = {}): AskedValues {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Allowed is name=values, such as fast=5,10,20.");
  const name = text.slice(0, at);
  try {
    return { ...before, [name]: typedValues(name, text.slice(at + 1)) };
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

async function study(strategy: string | undefined, options: Options): Promise<void> {
  if (strategy === undefined) {
    const rows = CATALOGUE.map((each) => [each.name, legalValues(each)]);
    for (const line of textTable(["template", "parameters"], rows)) console.log(line);
    return;
  }
  const template = templateNamed(strategy);
  const parameters = options.param;
  if (parameters === undefined) {
    throw new UsageError(`--param is missing: ${template.name} has ${legalValues(template)}`);
  }
  const dir = await currentSnapshot(options.snapshots);
  const { openMarket } = await import("./check-market.ts");
  const market = (await openMarket(options))!; // of the current snapshot
  const bars = market.barsOf(options.coin)!; // it has the coin
  const asked = asUsage(() => askedOf(template, { ...options, parameters }, bars));
  const found = runAskedStudy(asked, bars, {
    peers: market.known(),
    onProgress: ({ step, done, total }) => progressLine(`${step}: ${done} of ${total}`),
  });
  progressLine("");
  const source = { engineVersion: ENGINE_VERSION, snapshotId: dir.split("/").at(-1) ?? dir };
  const result = StudyResult.from({ ...found, ...source });
  if (options.csv !== undefined) writeReport(options.csv, csvOf(runsTable(result)));
  if (options.html !== undefined) {
    const { htmlStudy } = await import("../web/report/html-report.tsx");
    writeReport(options.html, htmlStudy({ result, isSynthetic: market.isSynthetic }, madeToday()));
  }
  const lines =
    options.json === true
      ? JSON.stringify(
          market.isSynthetic ? { synthetic: true, ...result } : result,
          undefined,
          2,
        ).split("\n")
      : studyText(result, market.isSynthetic);
  for (const line of lines) console.log(terminalText(line));
}

function templateNamed(name: string): Template {
  const template = findTemplate(name);
  if (template !== undefined) return template;
  const names = CATALOGUE.map((known) => known.name);
  const nearest = nearestTo(name, names, 3).map((known) => `"${known}"`);
  const all = "hindsight study lists all with their parameters";
  throw new UsageError(`there is no template "${name}"; nearest: ${nearest.join(", ")}; ${all}`);
}

function askedOf(
  template: Template,
  options: Options & { readonly parameters: AskedValues },
  bars: Bars,
): AskedStudy {
  const { start, end, train, test, folds } = options;
  if ((train === undefined) !== (test === undefined))
    throw new UsageError("--train and --test go together");
  const rolling = train === undefined ? undefined : { trainDays: train, testDays: test! }; // both
  const asked: AskedStudy = {
    strategy: template.name,
    coin: options.coin,
    ...studyDays(bars, start, end),
    parameters: options.parameters,
    feeRate: options.fee / 100,
    slippageRate: options.slippage / 100,
    folds: folds ?? rolling,
    nTrials: options.nTrials,
  };
  assertStudySize(asked, parameterGrid(template, options.parameters).sets.length);
  return asked;
}

function asUsage<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

const whole = (value: number | null) => (value ?? NaN).toFixed(0);
const two = (value: number | null | undefined) => (value ?? NaN).toFixed(2);

function studyText(result: StudyResult, isSynthetic: boolean): string[] {
  const { best, check, walk_forward: walk, n_trials: trials, buy_hold: hold } = result;
  const verdict = check?.verdict;
  const p = verdict?.p_value ?? null;
  const pbo = check?.cscv?.pbo ?? null;
  const lines = [
    verdict?.sentence ?? `Not judged: ${result.check_reason}`,
    "",
    ...textTable(
      ["study", ""],
      [
        ["days", `${result.start_date} to ${result.end_date}`],
        ["sets", `${result.sets}, ${result.illegal_sets} left out as not legal`],
        ["tried in all", `${trials.value}; tries elsewhere are not seen`],
        ["best", best === null ? "no set moves" : `${best.label}: Sharpe ${two(best.run.sharpe)}`],
        [
          "holding",
          `Sharpe ${two(hold.sharpe)}; beaten by ${whole(result.beat_hold_sharpe_pct)} % of the sets`,
        ],
        [
          "above its neighbours",
          `${two(best?.flatness)}; on shuffled days ${two(best?.flatness_shuffled.low)} to ${two(best?.flatness_shuffled.high)}`,
        ],
        ["luck does this well", p === null ? "not judged" : timesInHundred(p)],
        ["PBO", pbo === null ? "not known" : `${whole(100 * pbo)} %`],
      ],
    ),
  ];
  if (walk !== null) {
    const { low, high } = walk.lead_after_shuffled;
    lines.push(
      "",
      ...textTable(
        ["walk forward", ""],
        [
          ["tests", `${walk.tests.length}, ${walk.changes} changes of set`],
          ["lead before", two(walk.lead_before)],
          ["lead after", `${two(walk.lead_after)}; on shuffled days ${two(low)} to ${two(high)}`],
        ],
      ),
    );
  }
  if (isSynthetic) lines.push("", MADE_UP_COIN);
  return lines;
}
