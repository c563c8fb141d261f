import type { BacktestAssessment } from "../quant/overfitting/assess-backtest.ts";
import { TIMEFRAMES, type BacktestInputs } from "../quant/overfitting/backtest-inputs.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { int, number, object, oneOf, percent, text, texts } from "./members.ts";
import { record } from "./record.ts";

/** The members of the body have the same names and sentences. */
export const OverfittingInputs = record<BacktestInputs>({ id: "OverfittingInputs" })({
  sharpe: number("annualised Sharpe ratio of the backtest, no risk-free rate"),
  timeframe: oneOf(TIMEFRAMES)("length of a bar"),
  length_days: number("length of the backtest in days"),
  n_trials: int("how many variants were tried, this one included"),
  skew: number("skew of the returns per bar"),
  kurtosis: number("kurtosis of the returns per bar, not the excess: a normal distribution has 3"),
  trials_sharpe_std: number.orNull(
    "standard deviation of the trials' annualised Sharpe ratios; without it, that of trials without skill",
  ),
});

type Assumed = BacktestAssessment["assumptions"];

const Assumptions = record<Assumed>({ id: "OverfittingAssumptions" })({
  periods_per_year: number("bars in 365 days"),
  trials_sharpe_std: number("annualised, as used"),
  trials_sharpe_std_source: oneOf(["given", "sampling_error_without_skill"])(
    "where the spread of the trials comes from",
  ),
  confidence: number("confidence level of the verdict and the track record"),
  notes: texts("what the figures rest on and cannot see"),
});

/** `POST /overfitting` */
export const Overfitting = record<BacktestAssessment & Attributed>()({
  attribution,
  inputs: object(OverfittingInputs)("as given, with defaults filled in"),
  observations: number("whole bars, T"),
  sharpe_per_bar: number("sharpe / sqrt(bars a year)"),
  probabilistic_sharpe_ratio: number("PSR: 1 less the p-value of no edge, for one try"),
  expected_max_sharpe: number("the luck bar: annualised Sharpe the best trial shows without skill"),
  deflated_sharpe_ratio: number("DSR: 1 less the p-value of a true Sharpe at the luck bar"),
  fwer_p_value: number("probability that the best of as many lucky trials does as well"),
  min_track_record_observations: number.orNull("bars needed for a Sharpe above 0 at 95 %"),
  min_track_record_days: number.orNull("the same in days"),
  min_backtest_years: number.orNull("shorter ones show this Sharpe by luck among so many trials"),
  break_even_trials: number.orNull(
    "largest number of trials at which the deflated Sharpe ratio is still 0.95; 1e300 if it is at any number, null if even one is too many",
  ),
  haircut_sharpe: number.orNull("Sharpe left after the correction for many tests (Harvey and Liu)"),
  haircut_pct: percent.orNull("percent of the Sharpe that this correction takes off"),
  verdict: oneOf(["skill", "inconclusive", "luck"])(),
  verdict_sentence: text(),
  assumptions: object(Assumptions)(),
  warnings: texts("why the figures may not hold here"),
});
