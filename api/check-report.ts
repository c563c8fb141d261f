import type {
  CheckInput,
  CheckReport as Report,
  ClaimFigures,
  CscvFigures,
  FamilyFigures,
  FallFigures,
  HoldingFigures,
  PeersFigures,
  PhaseFigures,
  SeriesFigures,
  StartFigures,
  TrialsFigures,
} from "../quant/check/report.ts";
import type { ReadColumn } from "../quant/check/panel.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { Afterwards } from "./base-rates.ts";
import { CheckLive, CheckWarning } from "./check-live.ts";
import { ReconciliationRecord } from "./reconciliation.ts";
import { CheckTiming, Earned } from "./check-timing.ts";
import { CheckVerdict } from "./check-verdict.ts";
import {
  date,
  flag,
  int,
  ints,
  list,
  manyOf,
  number,
  numbers,
  numbersByName,
  object,
  oneOf,
  percent,
  text,
  texts,
  valuesByName,
} from "./members.ts";
import { record, type Json } from "./record.ts";

const DeclaredTrials = record<CheckInput["nTrials"]>()({
  value: int(),
  source: oneOf(["measured", "declared"])(),
});

const CheckColumn = record<ReadColumn>({ id: "CheckColumn" })({
  name: text(),
  role: text("what it was taken for, in words"),
  use: oneOf(["dates", "judged", "variant", "market", "flows", "costs", "trade", "left_out"])(),
});

const Benchmark = record<NonNullable<CheckInput["benchmark"]>>()({
  name: text(),
  source: oneOf(["coin", "column"])(),
});

const Input = record<CheckInput>({
  id: "CheckInput",
  description: "What the file was, and what was done to it.",
})({
  format: text("name of the format, as the parameter takes it"),
  tool: text("what wrote the file"),
  kind: oneOf(["returns", "equity", "trades", "statistics"])(),
  sha256: text.orNull("of the returns that were judged; nothing that was sent is kept"),
  bars: int(),
  variants: int("distinct ones that move"),
  dropped_variants: int("that never move"),
  duplicate_variants: int("that repeat another one"),
  first: text.orNull("first bar"),
  last: text.orNull("last bar"),
  bar_seconds: number.orNull("between the bars of the file"),
  periods_per_year: number.orNull("bars a year, for annualising"),
  periods_per_year_reason: text.orNull("why that many"),
  filled_bars: int("that were missing"),
  selected: text.orNull("the variant that was judged"),
  n_trials: object(DeclaredTrials)(),
  marked_to_market: flag("whether trades were valued at our daily closes"),
  stated: numbersByName.orNull("figures of the file's own header; shown and never used"),
  stated_reason: text.orNull("why they differ from ours"),
  warnings: list(CheckWarning)("what was done to the data, or makes them doubtful"),
  columns: list(CheckColumn)("every column of a table of your own; none of a known tool's layout"),
  benchmark: object(Benchmark).orNull("what holding it is compared with"),
  options: valuesByName("what was said beside the file"),
});

const Claims = record<ClaimFigures>({ id: "CheckClaims" })({
  standard_error: number.orNull("of the Sharpe ratio, a year"),
  freedom: number.orNull("degrees of freedom of Student's t; none for a normal distribution"),
  psr: number.orNull("1 less the p-value of no edge, for one try"),
  dsr: number.orNull("1 less the p-value of no more than the best of the trials shows by luck"),
  dsr_measured: number.orNull("with the spread of the trials as measured"),
  min_track_record_days: number.orNull("needed for 95 % confidence"),
  haircut_sharpe: number.orNull("left after the correction for many trials"),
});

const Start = record<StartFigures>({ id: "CheckStart" })({
  first: date("first day"),
  sharpe: number.orNull("a year"),
  p_value: number.orNull("for one try"),
});

const Phases = record<PhaseFigures>({ id: "CheckPhases" })({
  bars: int("the longest phase that is allowed for, a tenth of the record"),
  p_value: number.orNull("with the declared trials; shown, and decides nothing"),
});

const Fall = record<FallFigures["year"]>({ id: "CheckFall" })({
  median_pct: percent.orNull(
    "the deepest fall of every second such strategy, or deeper",
    (fall) => fall.median,
  ),
  deep_pct: percent.orNull("of 1 in 20", (fall) => fall.deep),
});

const Falls = record<FallFigures>({ id: "CheckFalls" })({
  year: object(Fall)("within one year"),
  three_years: object(Fall)("within three"),
});

const Series = record<SeriesFigures>({
  id: "CheckSeries",
  description: "The variant that was judged, by itself.",
})({
  sharpe: number.orNull("a year"),
  mean: number.orNull("of a bar"),
  std: number.orNull("standard deviation of a bar"),
  skew: number.orNull("of the bars"),
  kurtosis: number.orNull("of the bars; a normal distribution has 3"),
  autocorrelation: number.orNull("from one bar to the next"),
  total_return_pct: percent.orNull("of the whole record"),
  max_drawdown_pct: percent.orNull("0 or negative"),
  under_water_days: number.orNull("longest time below an earlier high"),
  worst_month_pct: percent.orNull("of a calendar month"),
  best_bars_share: number.orNull("share of the profit from the best 1 % of bars"),
  active_bars: int("with a return other than 0"),
  losing_bars: int(),
  dependence_ratio: number.orNull("factor by which the record is shorter than it looks"),
  starts: list(Start)(
    "the same variant from later first days on: choosing the best of five doubles luck's share",
  ),
  phases: object(Phases).orNull("of one series, if an edge comes and goes"),
  published: object(Claims)("for independent returns, as most packages have it"),
  adjusted: object(Claims)("with dependence and few active bars allowed for"),
});

const TrialsDsr = record<NonNullable<TrialsFigures["dsr"]>>()({
  n: number.orNull("at n"),
  implied: number.orNull("at implied"),
  effective_rank: number.orNull("at effective_rank"),
});

const Trials = record<TrialsFigures>({ id: "CheckTrials" })({
  n: int(),
  implied: number.orNull("independent trials by mean correlation"),
  effective_rank: number.orNull("of the trials' correlations"),
  sharpe_std: number.orNull("standard deviation of the trials' Sharpe ratios, a year"),
  expected_sharpe: number.orNull(
    "what to expect of the judged variant, a year; none for one variant",
  ),
  dsr: object(TrialsDsr).orNull("the deflated Sharpe ratio at each of these numbers"),
});

const Degradation = record<CscvFigures["degradation"]>()({
  slope: number.orNull("of the line through the halves' Sharpe ratios"),
  intercept: number.orNull("of that line"),
  r_squared: number.orNull("of that line"),
});

const Logits = record<CscvFigures["logits"]>()({
  edges: numbers(),
  counts: ints(),
});

const Cscv = record<CscvFigures>({
  id: "CheckCscv",
  description: "Combinatorially symmetric cross-validation.",
})({
  blocks: int(),
  rows_used: int(),
  pbo: number.orNull("how often the best of one half ranks below the middle in the other"),
  probability_of_loss: number.orNull("of the best variant in the other half"),
  degradation: object(Degradation)(),
  first_order_dominance: flag(),
  second_order_dominance: flag(),
  logits: object(Logits)("histogram of the ranks in the other half"),
});

const Family = record<FamilyFigures>({
  id: "CheckFamily",
  description: "Tests over all variants, by step-down.",
})({
  benchmarks: manyOf(["cash", "coin"])(),
  block_length: int("bars"),
  block_length_set_by: oneOf(["selected", "median"])(
    "what needed that length: the variant that was judged, or the median of all",
  ),
  resamples: int(),
  p_cash: number("of the variant that was judged, against cash"),
  p_coin: number.orNull("against holding the coin"),
  p_value: number.orNull("the larger of the two"),
  survivors: texts("variants that pass at 5 %"),
  survivor_count: int(),
  untested: texts("variants without a p-value, which count in the luck of the others"),
  untested_reason: text.orNull("why they have none"),
  white_p_value: number("reality check on means"),
  hansen_p_value: number("superior predictive ability on means"),
});

type SameDays = PeersFigures["sameDays"];

const LuckBar = record<SameDays["luckBar"]["n1"]>({ id: "CheckLuckBar" })({
  median: number("a year"),
  p95: number("a year"),
});

const LuckBars = record<SameDays["luckBar"]>()({
  n_1: object(LuckBar)(),
  n_13: object(LuckBar)(),
  n_286: object(LuckBar)(),
});

const OnSameDays = record<SameDays>()({
  runs: int(),
  rank: int("1 is the best"),
  hold: object(Earned)(),
  luck_bar: object(LuckBars)("what the best of so many runs reaches where nothing can be learnt"),
});

const Peers = record<PeersFigures>({
  id: "CheckPeers",
  description: "Our own runs on the same coin and days.",
})({
  coin: text(),
  same_days: object(OnSameDays)(),
  afterwards: object(Afterwards).orNull(),
  afterwards_note: text(),
});

const Record = record<HoldingFigures["own"]>({ id: "CheckRecord" })({
  return_pct: percent.orNull("of these bars", (hold) => hold.totalReturn),
  max_drawdown_pct: percent.orNull("0 or negative"),
  sharpe: number.orNull("a year"),
  active_share: number("share of the bars with a return other than 0"),
});

const Holding = record<HoldingFigures>({ id: "CheckHolding" })({
  name: text("the coin, or the column of the file"),
  first: date("first day that both have", (live) => live.firstDay),
  last: date("last day that both have", (live) => live.lastDay),
  own: object(Record)("the variant that was judged"),
  held: object(Record)("holding the market"),
});

/** The report of a check, as the command prints it. */
export const CheckReport = record<Report>()({
  input: object(Input)(),
  series: object(Series).orNull("null for a table of statistics"),
  trials: object(Trials)(),
  falls: object(Falls).orNull(
    "how deep a strategy as good as this one may fall below its highest balance; null where its days can't be redrawn",
  ),
  cscv: object(Cscv).orNull(),
  cscv_reason: text.orNull("why there is none"),
  family: object(Family).orNull(),
  family_reason: text.orNull("why there is none"),
  peers: object(Peers).orNull(),
  peers_reason: text.orNull("why there are none"),
  holding: object(Holding).orNull(
    "beside holding the market, over the bars that both have; null where no market is known",
  ),
  luck_quantiles: numbers.orNull(
    "yearly Sharpe ratios of the best of the trials in a hundred worlds without skill, ascending: their evenly spaced quantiles; null without a p-value",
    (report) => report.luckQuantiles && Array.from(report.luckQuantiles),
  ),
  verdict: object(CheckVerdict)(),
  timing: object(CheckTiming).orNull("null for a table of statistics"),
  live: object(CheckLive).orNull("null where no live record was sent"),
  reconciliation: object(ReconciliationRecord).orNull("null where no live file was sent"),
  reconciliation_reason: object(CheckWarning).orNull("why a live file could not be reconciled"),
});

/** `POST /check` */
export const Check = record<Report & Attributed>()({ attribution, ...CheckReport.members });

export type CheckReport = Json<typeof CheckReport>;
export type CheckSeries = Json<typeof Series>;
export type CheckClaims = Json<typeof Claims>;
export type CheckCscv = Json<typeof Cscv>;
export type CheckFalls = Json<typeof Falls>;
export type CheckHolding = Json<typeof Holding>;
export type CheckFamily = Json<typeof Family>;
export type CheckPeers = Json<typeof Peers>;
