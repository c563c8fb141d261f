import type { AskedStudy } from "../quant/studies/asked-study.ts";
import type { Values } from "../quant/studies/parameter-grid.ts";
import { jobRecord } from "./backtest.ts";
import { date, int, list, numbers, percent, text } from "./members.ts";
import { record } from "./record.ts";
import { StudyResult } from "./study.ts";

const AskedParameter = record<readonly [name: string, values: Values]>()({
  name: text("", ([name]) => name),
  values: numbers("each of a list, or from, to and step", ([, values]) =>
    "from" in values ? [values.from, values.to, values.step] : values,
  ),
});

/** The members of the body have the same names and sentences. */
export const StudyRequest = record<AskedStudy>()({
  strategy: text("name of a template, from GET /strategies"),
  coin: text("ticker of a coin on the board"),
  parameters: list(AskedParameter)("values of each parameter that varies", ({ parameters }) =>
    Object.entries(parameters),
  ),
  start_date: date("first day of every run, within the coin's history", (study) => study.startDay),
  end_date: date("last day of every run", (study) => study.endDay),
  fee_pct: percent("of the traded value, each fill", (study) => study.feeRate),
  slippage_pct: percent("against the open, each fill", (study) => study.slippageRate),
  folds: int.ifAny(
    "tests of the second half, each of the set that was best on all days before",
    ({ folds }) => (typeof folds === "number" ? folds : undefined),
  ),
  train_days: int.ifAny("days to choose on, where the walk forward rolls", ({ folds }) =>
    typeof folds === "object" ? folds.trainDays : undefined,
  ),
  test_days: int.ifAny("days of each test", ({ folds }) =>
    typeof folds === "object" ? folds.testDays : undefined,
  ),
  n_trials: int.ifAny("sets tried in all, these included"),
});

/** `GET /studies/{id}` */
export const StudyJob = jobRecord(StudyRequest, StudyResult);
