import { quantile } from "../quant/sample-statistics.ts";
import type { Study } from "../quant/studies/run-study.ts";
import { setLabel, type ParameterGrid } from "../quant/studies/parameter-grid.ts";
import { CheckReport } from "./check-report.ts";
import {
  date,
  flag,
  int,
  list,
  number,
  numbers,
  numbersByName,
  object,
  percent,
  text,
} from "./members.ts";
import { record, type Json } from "./record.ts";
import { columnsOf, type Column, type Table } from "./table.ts";

/** One set with its figures. */
const StudyRun = record<ReturnType<typeof runOf>>({ id: "StudyRun" })({
  params: numbersByName("the set"),
  sharpe: number.orNull("a year; null for a set that never moves"),
  return_pct: percent.orNull("of the whole run, net of costs", (run) => run.totalReturn),
  max_drawdown_pct: percent.orNull("0 or negative"),
  trades: int("an open one included"),
  exposure_pct: percent.orNull("share of closes with a position"),
});

/** The values of a figure over the shufflings of the days. */
const Shuffled = record<readonly number[]>({ id: "Shuffled" })({
  draws: int("shufflings that have the figure", (values) => values.length),
  median: number.orNull("", (values) => quantile(values, 0.5)),
  low: number.orNull("lowest", (values) => Math.min(...values)),
  high: number.orNull("highest", (values) => Math.max(...values)),
  values: numbers("each, in no order that matters", (values) => values),
});

/** A study that ran, and its request. */
interface FinishedStudy {
  readonly coin: string;
  readonly grid: ParameterGrid;
  readonly feeRate: number;
  readonly slippageRate: number;
  readonly engineVersion: string;
  readonly snapshotId: string;
  readonly study: Study;
}

const Best = record<FinishedStudy>()({
  label: text("the parameters that vary", ({ grid, study }) =>
    setLabel(grid, grid.sets[study.flatness.best]!),
  ),
  run: object(StudyRun)("", (study) => runOf(study, study.study.flatness.best)),
  neighbours: int(
    "sets that differ by a neighbouring value of one parameter, and move",
    ({ study }) => study.flatness.neighbours,
  ),
  neighbours_sharpe: number.orNull(
    "their median; null with fewer than two",
    ({ study }) => study.runs.sharpe[study.flatness.best]! - study.flatness.drop,
  ),
  flatness: number.orNull(
    "best less that median: how lonely the best set is",
    ({ study }) => study.flatness.drop,
  ),
  flatness_shuffled: object(Shuffled)("the same in 19 shufflings of the days", ({ study }) =>
    known(study.permuted.map(({ drop }) => drop)),
  ),
  sharpe_shuffled: object(Shuffled)("the best Sharpe ratio of each shuffling", ({ study }) =>
    known(study.permuted.map(({ best }) => best)),
  ),
});

const StudyTest = record<ReturnType<typeof testsOf>[number]>({ id: "StudyTest" })({
  train_from: date("first day of training", ({ days, trainFrom }) => days[trainFrom]!),
  from: date("first day of the test", ({ days, split }) => days[split]!),
  to: date("last day of the test", ({ days, end }) => days[end - 1]!),
  chosen: text.orNull("the best set of the training; null for cash", (test) => test.label),
  params: numbersByName.orNull("its parameters"),
  train_sharpe: number.orNull("a year", (test) => test.trained),
  test_sharpe: number.orNull("a year; null where it did not move", (test) => test.tested),
  test_return_pct: percent.orNull("what followed"),
});

const StudyStep = record<ReturnType<typeof stepsOf>[number]>({ id: "StudyStep" })({
  date: date("", (step) => step.day),
  chosen: number.orNull("following the best set from test to test", (step) => step.followed),
  hold: number.orNull("holding the coin"),
  default: number.orNull("the template's default set", (step) => step.plain),
  mean: number.orNull("an equal part in every set"),
});

const WalkForward = record<FinishedStudy>()({
  tests: list(StudyTest)("oldest first", testsOf),
  cash_tests: int("tests without a choice, as no set moved in training", (study) =>
    walkOf(study).picks.reduce((count, pick) => count + Number(pick < 0), 0),
  ),
  changes: int("from one set to another", (study) => {
    const { picks } = walkOf(study);
    return picks.filter((pick, test) => test > 0 && pick !== picks[test - 1]).length;
  }),
  lead_before: number.orNull(
    "mean over the tests: Sharpe ratio of the chosen set in training less the mean of all sets",
    (study) => walkOf(study).leadBefore,
  ),
  lead_after: number.orNull(
    "the same over all tests, as one series",
    (study) => walkOf(study).leadAfter,
  ),
  lead_low: number.orNull("95 % interval; from 8 tests on", (study) => walkOf(study).low),
  lead_high: number.orNull("", (study) => walkOf(study).high),
  kept_pct: percent.orNull("lead_after against lead_before; null without a lead", (study) =>
    keptOf(walkOf(study)),
  ),
  lead_after_shuffled: object(Shuffled)("on shuffled days", ({ study }) =>
    known(study.permuted.map(({ leadAfter }) => leadAfter)),
  ),
  kept_shuffled: object(Shuffled)(
    "lead_after against lead_before there, as a fraction",
    ({ study }) => known(study.permuted.map(keptOf)),
  ),
  above_all_shuffled: flag(
    "whether lead_after is above all of them, which luck does 1 time in 20",
    (study) => study.study.permuted.every(({ leadAfter }) => walkOf(study).leadAfter > leadAfter),
  ),
  curve: list(StudyStep)("what a dollar became, from the first test on", stepsOf),
});

const Trials = record<Study["trials"]>()({
  value: int("what the verdict holds the best set to"),
  measured: int("distinct sets of this study that move"),
  declared: int.orNull("as the request says"),
  known_here: int(
    "distinct sets of this template and coin that the account tried here in 30 days, these included; tries elsewhere are not seen",
    (peers) => peers.known,
  ),
});

const Holding = record<Study["hold"]>()({
  sharpe: number.orNull("a year"),
  return_pct: percent.orNull("", (figures) => figures.totalReturn),
  max_drawdown_pct: percent.orNull(),
});

const StudyAxis = record<{ readonly name: string; readonly values: readonly number[] }>()({
  name: text(),
  values: numbers("ascending"),
});

const METHODOLOGY =
  "Every set is one run of the engine, as of POST /backtests; the check is that of POST /check on all of them. Shuffled days are the same days in random order, in blocks of 1 to 60, on which the whole study ran again. What each figure means is under /docs/studies.";

/** `result` of a study that is done. */
export const StudyResult = record<FinishedStudy>({
  id: "StudyResult",
  description: "A finished study. The verdict comes first: the best run alone says little.",
})({
  sentence: text.orNull("the verdict in words", ({ study }) => study.report?.verdict.sentence),
  strategy: text("", ({ grid }) => grid.template.name),
  coin: text(),
  start_date: date("", ({ study }) => study.days[0]!),
  end_date: date("", ({ study }) => study.days.at(-1)!),
  days: int("of every run", ({ study }) => study.days.length),
  axes: list(StudyAxis)("the values of each parameter", ({ grid }) => grid.axes),
  sets: int("legal sets, all of which ran", ({ grid }) => grid.sets.length),
  illegal_sets: int("left out, as they are not legal", ({ grid }) => grid.illegal),
  fee_pct: percent.orNull("of the traded value, each fill", (study) => study.feeRate),
  slippage_pct: percent.orNull("against the open, each fill", (study) => study.slippageRate),
  n_trials: object(Trials)("", ({ study }) => study.trials),
  best: object(Best).orNull("null where no set moves", (study) =>
    study.study.flatness.best < 0 ? null : study,
  ),
  buy_hold: object(Holding)(
    "bought at the open of start_date without costs",
    ({ study }) => study.hold,
  ),
  beat_hold_sharpe_pct: percent.orNull(
    "share of all sets with a higher Sharpe ratio than holding",
    ({ study }) => study.beatHoldSharpe,
  ),
  beat_hold_return_pct: percent.orNull(
    "share of all sets with a higher return than holding",
    ({ study }) => study.beatHoldReturn,
  ),
  check: object(CheckReport).orNull(
    "the report of POST /check on every set's daily returns",
    ({ study }) => study.report,
  ),
  check_reason: text.orNull("why there is none", ({ study }) => study.reportReason),
  walk_forward: object(WalkForward).orNull("null without folds", (study) =>
    study.study.walk === null ? null : study,
  ),
  runs: list(StudyRun)("every set, the last parameter turning fastest", (study) =>
    study.grid.sets.map((_, set) => runOf(study, set)),
  ),
  engine_version: text(),
  snapshot: text("whose prices the study ran on", (study) => study.snapshotId),
  methodology: text("", () => METHODOLOGY),
});

export type StudyResult = Json<typeof StudyResult>;

function known(values: readonly number[]): readonly number[] {
  return values.filter((value) => Number.isFinite(value));
}

function keptOf({ leadBefore, leadAfter }: { leadBefore: number; leadAfter: number }): number {
  return leadBefore > 0 ? leadAfter / leadBefore : Number.NaN;
}

function runOf({ grid, study: { runs } }: FinishedStudy, set: number) {
  return {
    params: grid.sets[set]!, // every column has one element per set
    sharpe: runs.sharpe[set]!,
    totalReturn: runs.totalReturn[set]!,
    maxDrawdown: runs.maxDrawdown[set]!,
    trades: runs.trades[set]!,
    exposure: runs.exposure[set]!,
  };
}

function walkOf({ study: { walk } }: FinishedStudy) {
  if (walk === null) throw new Error("a study without folds has no walk forward");
  return walk;
}

function testsOf(study: FinishedStudy) {
  const { folds, picks, trained, tested, first, followedEquity: equity } = walkOf(study);
  return folds.map((fold, test) => {
    const params = study.grid.sets[picks[test]!] ?? null;
    const before = equity[fold.split - first - 1] ?? 1;
    return {
      ...fold,
      days: study.study.days,
      params,
      label: params === null ? null : setLabel(study.grid, params),
      trained: trained[test]!,
      tested: tested[test]!,
      testReturn: equity[fold.end - first - 1]! / before - 1,
    };
  });
}

function stepsOf(study: FinishedStudy) {
  const { first, followedEquity, holdEquity, defaultEquity, meanEquity } = walkOf(study);
  return Array.from(followedEquity, (followed, row) => ({
    day: study.study.days[first + row]!,
    followed,
    hold: holdEquity[row]!,
    plain: defaultEquity[row]!,
    mean: meanEquity[row]!,
  }));
}

/** Every set of a study, with a column for each parameter. */
export function runsTable(result: StudyResult | null): Table {
  const names = result?.axes.map(({ name }) => name) ?? [];
  type Row = StudyResult["runs"][number];
  const { params: _, ...figures } = StudyRun.members;
  const columns: Column<Row>[] = [
    ...names.map((name) => ({
      name,
      field: "result.runs.params",
      cell: (row: Row) => row.params[name],
    })),
    ...columnsOf({ ...StudyRun, members: figures } as never, {
      name: "",
      field: "result.runs",
      cell: (row: Row) => row,
    }),
  ];
  return { columns, rows: result?.runs ?? [] };
}
