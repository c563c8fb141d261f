import type { ErrorRates as Rates, VerdictFigures } from "../quant/check/report.ts";
import { int, number, object, oneOf, text, texts } from "./members.ts";
import { record, type Json } from "./record.ts";

const ErrorRates = record<Rates>({ id: "CheckErrorRates" })({
  variants: int("variants they were measured at"),
  bars: int("bars they were measured at"),
  false_skill: number("worst share of `skill` where there is no edge"),
  power_1: number("share of `skill` at a true Sharpe ratio of 1"),
  power_2: number("at a true Sharpe ratio of 2"),
  false_luck_1: number("share of `luck` at a true Sharpe ratio of 1"),
  false_luck_2: number("at a true Sharpe ratio of 2"),
  panels: int(
    "made of each shape, at least: fewer make the worst share too high rather than too low",
  ),
});

/** The verdict of a check, there and in the result of a backtest. */
export const CheckVerdict = record<VerdictFigures>({ id: "CheckVerdict" })({
  value: oneOf(["skill", "inconclusive", "luck"])(),
  basis: oneOf(["family_step_down", "one_series", "statistics_only"])("the test behind it"),
  p_value: number.orNull("with the declared trials"),
  break_even_trials: number.orNull("the most trials at which it would be skill"),
  withheld_reason: text.orNull("why it is not what the p-value would give"),
  withheld_code: oneOf(["known_later", "fill_at_extreme", "profit_first"]).orNull(
    "set where prices were known too early",
  ),
  error_rates: object(ErrorRates).orNull(),
  error_rates_reason: text.orNull("why there are none"),
  event: text(
    "what it is called where people read it: Luck would rarely do this, Too close to call, Luck does this often, Not judged",
  ),
  sentence: text("at most two sentences, to be repeated to somebody else"),
  notes: texts("what else there is to say of it"),
  cautions: texts("what no test of a record can see"),
});

export type CheckVerdict = Json<typeof CheckVerdict>;
export type CheckErrorRates = Json<typeof ErrorRates>;
