import type { ErrorRates as Rates, VerdictFigures } from "../quant/check/report.ts";
import { int, number, object, oneOf, text, texts } from "./members.ts";
import { record, type Json } from "./record.ts";

const ErrorRates = record<Rates>({ id: "CheckErrorRates" })({
  variants: int("variants they were measured at", (rates) => rates.variants),
  bars: int("bars they were measured at", (rates) => rates.bars),
  false_skill: number("worst share of `skill` where there is no edge", (of) => of.falseSkill),
  power_1: number("share of `skill` at a true Sharpe ratio of 1", (of) => of.power1),
  power_2: number("at a true Sharpe ratio of 2", (of) => of.power2),
  false_luck_1: number("share of `luck` at a true Sharpe ratio of 1", (of) => of.falseLuck1),
  false_luck_2: number("at a true Sharpe ratio of 2", (of) => of.falseLuck2),
});

/** Also part of a backtest's result. */
export const CheckVerdict = record<VerdictFigures>({ id: "CheckVerdict" })({
  value: oneOf(["skill", "inconclusive", "luck"])("", (verdict) => verdict.value),
  basis: oneOf(["family_step_down", "one_series", "statistics_only"])(
    "the test behind it",
    (verdict) => verdict.basis,
  ),
  p_value: number.orNull("with the declared trials", (verdict) => verdict.pValue),
  break_even_trials: number.orNull(
    "the most trials at which it would be skill",
    (verdict) => verdict.breakEvenTrials,
  ),
  withheld_reason: text.orNull(
    "why it is not what the p-value would give",
    (verdict) => verdict.withheldReason,
  ),
  error_rates: object(ErrorRates).orNull("", (verdict) => verdict.errorRates),
  error_rates_reason: text.orNull("why there are none", (verdict) => verdict.errorRatesReason),
  sentence: text("to be repeated to somebody else", (verdict) => verdict.sentence),
  cautions: texts("what no test of a record can see", (verdict) => verdict.cautions),
});

export type CheckVerdict = Json<typeof CheckVerdict>;
export type CheckErrorRates = Json<typeof ErrorRates>;
