import type {
  CheckInput,
  CheckReport as Report,
  ClaimFigures,
  CscvFigures,
  FamilyFigures,
  PeersFigures,
  SeriesFigures,
  TrialsFigures,
} from "../quant/check/report.ts";
import type { ReadColumn } from "../quant/check/panel.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { Afterwards } from "./base-rates.ts";
import { CheckLive, CheckWarning } from "./check-live.ts";
import { CheckVerdict } from "./check-verdict.ts";
import {
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
  value: int("", (trials) => trials.value),
  source: oneOf(["measured", "declared"])("", (trials) => trials.source),
});

const CheckColumn = record<ReadColumn>({ id: "CheckColumn" })({
  name: text("", (column) => column.name),
  role: text("what it was taken for, in words", (column) => column.role),
  use: oneOf(["dates", "judged", "variant", "market", "flows", "left_out"])(
    "",
    (column) => column.use,
  ),
});

const Benchmark = record<NonNullable<CheckInput["benchmark"]>>()({
  name: text("", (benchmark) => benchmark.name),
  source: oneOf(["coin", "column"])("", (benchmark) => benchmark.source),
});

const Input = record<CheckInput>({
  id: "CheckInput",
  description: "What the file was, and what was done to it.",
})({
  format: text("name of the format, as the parameter takes it", (input) => input.format),
  tool: text("what wrote the file", (input) => input.tool),
  kind: oneOf(["returns", "equity", "trades", "statistics"])("", (input) => input.kind),
  sha256: text.orNull(
    "of the returns that were judged; nothing that was sent is kept",
    (input) => input.sha256,
  ),
  bars: int("", (input) => input.bars),
  variants: int("distinct ones that move", (input) => input.variants),
  dropped_variants: int("that never move", (input) => input.droppedVariants),
  duplicate_variants: int("that repeat another one", (input) => input.duplicateVariants),
  first: text.orNull("first bar", (input) => input.first),
  last: text.orNull("last bar", (input) => input.last),
  bar_seconds: number.orNull("between the bars of the file", (input) => input.barSeconds),
  periods_per_year: number.orNull("bars a year, for annualising", (input) => input.periodsPerYear),
  periods_per_year_reason: text.orNull("why that many", (input) => input.periodsPerYearReason),
  filled_bars: int("that were missing", (input) => input.filledBars),
  selected: text.orNull("the variant that was judged", (input) => input.selected),
  n_trials: object(DeclaredTrials)("", (input) => input.nTrials),
  marked_to_market: flag(
    "whether trades were valued at our daily closes",
    (input) => input.markedToMarket,
  ),
  stated: numbersByName.orNull(
    "figures of the file's own header; shown and never used",
    (input) => input.stated,
  ),
  stated_reason: text.orNull("why they differ from ours", (input) => input.statedReason),
  warnings: list(CheckWarning)(
    "what was done to the data, or makes them doubtful",
    (input) => input.warnings,
  ),
  columns: list(CheckColumn)(
    "every column of a table of your own; none of a known tool's layout",
    (input) => input.columns,
  ),
  benchmark: object(Benchmark).orNull(
    "what holding it is compared with",
    (input) => input.benchmark,
  ),
  options: valuesByName("what was said beside the file", (input) => input.options),
});

const Claims = record<ClaimFigures>({ id: "CheckClaims" })({
  standard_error: number.orNull("of the Sharpe ratio, a year", (of) => of.standardError),
  psr: number.orNull("probability that the true Sharpe ratio is above 0", (of) => of.psr),
  dsr: number.orNull("the same against the best of the trials by luck", (of) => of.dsr),
  dsr_measured: number.orNull("with the spread of the trials as measured", (of) => of.dsrMeasured),
  min_track_record_days: number.orNull("needed for 95 % confidence", (of) => of.minTrackRecordDays),
  haircut_sharpe: number.orNull(
    "left after the correction for many trials",
    (of) => of.haircutSharpe,
  ),
});

const Series = record<SeriesFigures>({
  id: "CheckSeries",
  description: "The variant that was judged, by itself.",
})({
  sharpe: number.orNull("a year", (series) => series.sharpe),
  mean: number.orNull("of a bar", (series) => series.mean),
  std: number.orNull("standard deviation of a bar", (series) => series.std),
  skew: number.orNull("of the bars", (series) => series.skew),
  kurtosis: number.orNull("of the bars; a normal distribution has 3", (series) => series.kurtosis),
  autocorrelation: number.orNull("from one bar to the next", (series) => series.autocorrelation),
  total_return_pct: percent.orNull("of the whole record", (series) => series.totalReturn),
  max_drawdown_pct: percent.orNull("0 or negative", (series) => series.maxDrawdown),
  under_water_days: number.orNull(
    "longest time below an earlier high",
    (series) => series.underWaterDays,
  ),
  worst_month_pct: percent.orNull("of a calendar month", (series) => series.worstMonth),
  best_bars_share: number.orNull(
    "share of the profit from the best 1 % of bars",
    (series) => series.bestBarsShare,
  ),
  active_bars: int("with a return other than 0", (series) => series.activeBars),
  losing_bars: int("", (series) => series.losingBars),
  dependence_ratio: number.orNull(
    "factor by which the record is shorter than it looks",
    (series) => series.dependenceRatio,
  ),
  published: object(Claims)(
    "for independent returns, as most packages have it",
    (series) => series.published,
  ),
  adjusted: object(Claims)(
    "with dependence and few active bars allowed for",
    (series) => series.adjusted,
  ),
});

const TrialsDsr = record<NonNullable<TrialsFigures["dsr"]>>()({
  n: number.orNull("at n", (dsr) => dsr.n),
  implied: number.orNull("at implied", (dsr) => dsr.implied),
  effective_rank: number.orNull("at effective_rank", (dsr) => dsr.effectiveRank),
});

const Trials = record<TrialsFigures>({ id: "CheckTrials" })({
  n: int("", (trials) => trials.n),
  implied: number.orNull("independent trials by mean correlation", (trials) => trials.implied),
  effective_rank: number.orNull("of the trials' correlations", (trials) => trials.effectiveRank),
  sharpe_std: number.orNull(
    "standard deviation of the trials' Sharpe ratios, a year",
    (trials) => trials.sharpeStd,
  ),
  dsr: object(TrialsDsr).orNull(
    "the deflated Sharpe ratio at each of these numbers",
    (trials) => trials.dsr,
  ),
});

const Degradation = record<CscvFigures["degradation"]>()({
  slope: number.orNull("of the line through the halves' Sharpe ratios", (line) => line.slope),
  intercept: number.orNull("of that line", (line) => line.intercept),
  r_squared: number.orNull("of that line", (line) => line.rSquared),
});

const Logits = record<CscvFigures["logits"]>()({
  edges: numbers("", ({ edges }) => edges),
  counts: ints("", ({ counts }) => counts),
});

const Cscv = record<CscvFigures>({
  id: "CheckCscv",
  description: "Combinatorially symmetric cross-validation.",
})({
  blocks: int("", (cscv) => cscv.blocks),
  rows_used: int("", (cscv) => cscv.rowsUsed),
  pbo: number.orNull(
    "how often the best of one half ranks below the middle in the other",
    (cscv) => cscv.pbo,
  ),
  probability_of_loss: number.orNull(
    "of the best variant in the other half",
    (cscv) => cscv.probabilityOfLoss,
  ),
  degradation: object(Degradation)("", (cscv) => cscv.degradation),
  first_order_dominance: flag("", (cscv) => cscv.firstOrderDominance),
  second_order_dominance: flag("", (cscv) => cscv.secondOrderDominance),
  logits: object(Logits)("histogram of the ranks in the other half", (cscv) => cscv.logits),
});

const Family = record<FamilyFigures>({
  id: "CheckFamily",
  description: "Tests over all variants, by step-down.",
})({
  benchmarks: manyOf(["cash", "coin"])("", (family) => family.benchmarks),
  block_length: int("bars", (family) => family.blockLength),
  block_length_set_by: oneOf(["selected", "median"])(
    "what needed that length: the variant that was judged, or the median of all",
    (family) => family.blockLengthSetBy,
  ),
  resamples: int("", (family) => family.resamples),
  p_cash: number("of the variant that was judged, against cash", (family) => family.pCash),
  p_coin: number.orNull("against holding the coin", (family) => family.pCoin),
  p_value: number.orNull("the larger of the two", (family) => family.pValue),
  survivors: texts("variants that pass at 5 %", (family) => family.survivors),
  survivor_count: int("", (family) => family.survivorCount),
  untested: texts(
    "variants without a p-value, which count in the luck of the others",
    (family) => family.untested,
  ),
  untested_reason: text.orNull("why they have none", (family) => family.untestedReason),
  white_p_value: number("reality check on means", (family) => family.whitePValue),
  hansen_p_value: number("superior predictive ability on means", (family) => family.hansenPValue),
});

type SameDays = PeersFigures["sameDays"];

const LuckBar = record<SameDays["luckBar"]["n1"]>({ id: "CheckLuckBar" })({
  median: number("a year", (bar) => bar.median),
  p95: number("a year", (bar) => bar.p95),
});

const LuckBars = record<SameDays["luckBar"]>()({
  n_1: object(LuckBar)("", (bars) => bars.n1),
  n_13: object(LuckBar)("", (bars) => bars.n13),
  n_286: object(LuckBar)("", (bars) => bars.n286),
});

const Hold = record<SameDays["hold"]>()({
  sharpe: number.orNull("a year", (hold) => hold.sharpe),
  return_pct: percent("over the same days", (hold) => hold.totalReturn),
  max_drawdown_pct: percent("0 or negative", (hold) => hold.maxDrawdown),
});

const OnSameDays = record<SameDays>()({
  runs: int("", (days) => days.runs),
  rank: int("1 is the best", (days) => days.rank),
  hold: object(Hold)("", (days) => days.hold),
  luck_bar: object(LuckBars)(
    "what the best of so many runs reaches where nothing can be learnt",
    (days) => days.luckBar,
  ),
});

const Peers = record<PeersFigures>({
  id: "CheckPeers",
  description: "Our own runs on the same coin and days.",
})({
  coin: text("", (peers) => peers.coin),
  same_days: object(OnSameDays)("", (peers) => peers.sameDays),
  afterwards: object(Afterwards).orNull("", (peers) => peers.afterwards),
  afterwards_note: text("", (peers) => peers.afterwardsNote),
});

/** What a check prints as JSON. */
export const CheckReport = record<Report>()({
  input: object(Input)("", (report) => report.input),
  series: object(Series).orNull("null for a table of statistics", (report) => report.series),
  trials: object(Trials)("", (report) => report.trials),
  cscv: object(Cscv).orNull("", (report) => report.cscv),
  cscv_reason: text.orNull("why there is none", (report) => report.cscvReason),
  family: object(Family).orNull("", (report) => report.family),
  family_reason: text.orNull("why there is none", (report) => report.familyReason),
  peers: object(Peers).orNull("", (report) => report.peers),
  peers_reason: text.orNull("why there are none", (report) => report.peersReason),
  verdict: object(CheckVerdict)("", (report) => report.verdict),
  live: object(CheckLive).orNull("null where no live record was sent", (report) => report.live),
});

/** `POST /check` */
export const Check = record<Report & Attributed>()({ attribution, ...CheckReport.members });

export type CheckReport = Json<typeof CheckReport>;
export type CheckSeries = Json<typeof Series>;
export type CheckClaims = Json<typeof Claims>;
export type CheckCscv = Json<typeof Cscv>;
export type CheckFamily = Json<typeof Family>;
export type CheckPeers = Json<typeof Peers>;
