import type { BacktestAssessment } from "../quant/overfitting/assess-backtest.ts";
import { TIMEFRAMES, type BacktestInputs } from "../quant/overfitting/backtest-inputs.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { int, number, object, oneOf, percent, text, texts } from "./members.ts";
import { record } from "./record.ts";

/** The members of the body have the same names and sentences. */
export const OverfittingInputs = record<BacktestInputs>({ id: "OverfittingInputs" })({
  sharpe: number(
    "annualised Sharpe ratio of the backtest, no risk-free rate",
    (inputs) => inputs.sharpe,
  ),
  timeframe: oneOf(TIMEFRAMES)("length of a bar", (inputs) => inputs.timeframe),
  length_days: number("length of the backtest in days", (inputs) => inputs.lengthDays),
  n_trials: int("how many variants were tried, this one included", (inputs) => inputs.nTrials),
  skew: number("skew of the returns per bar", (inputs) => inputs.skew),
  kurtosis: number(
    "kurtosis of the returns per bar, not the excess: a normal distribution has 3",
    (inputs) => inputs.kurtosis,
  ),
  trials_sharpe_std: number.orNull(
    "standard deviation of the trials' annualised Sharpe ratios; without it, that of trials without skill",
    (inputs) => inputs.trialsSharpeStd,
  ),
});

type Assumed = BacktestAssessment["assumptions"];

const Assumptions = record<Assumed>({ id: "OverfittingAssumptions" })({
  periods_per_year: number("bars in 365 days", (assumed) => assumed.periodsPerYear),
  trials_sharpe_std: number("annualised, as used", (assumed) => assumed.trialsSharpeStd),
  trials_sharpe_std_source: oneOf(["given", "sampling_error_without_skill"])(
    "where the spread of the trials comes from",
    (assumed) => assumed.trialsSharpeStdSource,
  ),
  confidence: number(
    "confidence level of the verdict and the track record",
    (assumed) => assumed.confidence,
  ),
  notes: texts("what the figures rest on and cannot see", (assumed) => assumed.notes),
});

/** `POST /overfitting` */
export const Overfitting = record<BacktestAssessment & Attributed>()({
  attribution,
  inputs: object(OverfittingInputs)("as given, with defaults filled in", (found) => found.inputs),
  observations: number("whole bars, T", (found) => found.observations),
  sharpe_per_bar: number("sharpe / sqrt(bars a year)", (found) => found.sharpePerBar),
  probabilistic_sharpe_ratio: number(
    "probability that the true Sharpe is above 0, taken alone",
    (found) => found.probabilisticSharpeRatio,
  ),
  expected_max_sharpe: number(
    "the luck bar: annualised Sharpe the best trial shows without skill",
    (found) => found.expectedMaxSharpe,
  ),
  deflated_sharpe_ratio: number(
    "probability that the true Sharpe is above the luck bar",
    (found) => found.deflatedSharpeRatio,
  ),
  fwer_p_value: number(
    "probability that the best of as many lucky trials does as well",
    (found) => found.fwerPValue,
  ),
  min_track_record_observations: number.orNull(
    "bars needed for a Sharpe above 0 at 95 %",
    (found) => found.minTrackRecordObservations,
  ),
  min_track_record_days: number.orNull("the same in days", (found) => found.minTrackRecordDays),
  min_backtest_years: number.orNull(
    "shorter ones show this Sharpe by luck among so many trials",
    (found) => found.minBacktestYears,
  ),
  break_even_trials: number.orNull(
    "largest number of trials at which the deflated Sharpe ratio is still 0.95; 1e300 if it is at any number, null if even one is too many",
    (found) => found.breakEvenTrials,
  ),
  haircut_sharpe: number.orNull(
    "Sharpe left after the correction for many tests (Harvey and Liu)",
    (found) => found.haircutSharpe,
  ),
  haircut_pct: percent.orNull(
    "percent of the Sharpe that this correction takes off",
    (found) => found.haircut,
  ),
  verdict: oneOf(["skill", "inconclusive", "luck"])("", (found) => found.verdict),
  verdict_sentence: text("", (found) => found.verdictSentence),
  assumptions: object(Assumptions)("", (found) => found.assumptions),
  warnings: texts("why the figures may not hold here", (found) => found.warnings),
});
