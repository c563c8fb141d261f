import type { CheckWarning as Warning } from "../quant/check/panel.ts";
import type { HowLong, StopTimes } from "../quant/live/how-long.ts";
import type {
  ContradictionFigures,
  DecayFigures,
  EvidenceFigures,
  LiveClaim,
  LiveErrorRates,
  LiveFigures,
  LiveVerdict,
  OverlapFigures,
} from "../quant/live/live-report.ts";
import { LIVE_VALUES } from "../quant/live/live-values.ts";
import type { Fan, Picture } from "../quant/live/picture.ts";
import { int, ints, list, number, object, oneOf, percent, percents, text } from "./members.ts";
import { record, type Json } from "./record.ts";

/** A note on what was done to the data, or on what makes them doubtful. */
export const CheckWarning = record<Warning>({ id: "CheckWarning" })({
  code: text(),
  message: text(),
});

const Trials = record<LiveClaim["nTrials"]>()({
  value: int(),
  source: oneOf(["measured", "declared", "assumed"])(
    "`assumed`: those in the file, where they are a few finished ones and none was said",
  ),
});

const Claim = record<LiveClaim>({
  id: "LiveClaim",
  description: "What of the backtest's Sharpe ratio is left after luck; all a year's.",
})({
  sharpe: number.orNull("of the backtest before the first live day"),
  after_luck: number.orNull("median-unbiased"),
  error: number.orNull("standard error"),
  lower: number.orNull("lower limit, 97.5 % sure"),
  method: oneOf(["only_one", "best_of_any", "beat_the_others"])(),
  n_trials: object(Trials)(),
  bars: int("of the backtest"),
});

const evidence = {
  evidence: number.orNull("of all live days; 20 is reached"),
  evidence_highest: number.orNull(),
  reached_on: text.orNull("first day at 20 or more"),
  evidence_reason: text.orNull("why there is none"),
};
const Evidence = record<EvidenceFigures>({ id: "LiveEvidence" })(evidence);
const Contradiction = record<ContradictionFigures>()({
  ...evidence,
  up_to_trials: int("most trials at which it is reached; 0 for none"),
});

const Stop = record<LiveFigures["stop"]>()({
  contradiction: object(Contradiction)("no edge, against the claim"),
  loses: object(Evidence)("a loss, against no edge"),
});

const Decay = record<DecayFigures>()({
  once_in_days: number.orNull(
    "how rarely a strategy as good as claimed shows such a stretch, at the least; rare where above `days` and a year",
  ),
  since: text.orNull("the stretch's first day"),
  reached_on: text.orNull("first day on which it was too rare"),
  once_in_days_reason: text.orNull("why there is none"),
});

const Times = record<StopTimes>({ id: "LiveStopTimes" })({
  share_1y: number("stopped within a year"),
  share_3y: number("within three"),
  median_days: number.orNull("null where never"),
});

const StopTimesBy = record<NonNullable<HowLong["stop"]>>()({
  none: object(Times)("without an edge"),
  half: object(Times)("with half of the claim"),
  minus_one: object(Times)("with a Sharpe ratio of -1"),
});

const HoldsDays = record<HowLong["holdsDays"]>()({
  claim: number.orNull("at the claim"),
  one: number.orNull("at a Sharpe ratio of 1"),
  two: number.orNull("at 2"),
  three: number.orNull("at 3"),
});

const Long = record<LiveFigures["howLong"]>()({
  stop: object(StopTimesBy).orNull("how soon the claim is contradicted"),
  stop_reason: text.orNull("why there is none"),
  holds_days: object(HoldsDays)("days until an edge shows, as a median"),
});

const Overlap = record<OverlapFigures>()({
  days: int(),
  correlation: number.orNull(),
  difference_pct: percent.orNull("live less backtest, a year"),
  difference_t: number.orNull("its t-ratio"),
});

const FanLines = record<Fan>()({
  p5: percents(),
  p25: percents(),
  p50: percents(),
  p75: percents(),
  p95: percents(),
});

const PictureLines = record<Picture>({
  id: "LivePicture",
  description: "Sums of daily returns, in percent.",
})({
  day: ints("counted from 1"),
  live_pct: percents("null on days to come"),
  fan: object(FanLines).orNull("quantiles of what strategies as good as claimed show"),
  stop_line_pct: percents.orNull("holds for ever"),
  others_line_pct: percents.orNull(
    "where 1 in 20 lies below on any one day: not to be looked at daily",
  ),
});

const Rates = record<LiveErrorRates>({ id: "LiveErrorRates" })({
  variants: int("variants they were measured at"),
  bars: int("bars they were measured at"),
  false_stop_3y: number("sound strategies stopped within 3 years, at worst on the shapes tried"),
  false_stop_10y: number("within 10 years"),
  false_holds_10y: number("`holds` without an edge within 10 years"),
  records: int("made of each shape, at least"),
});

const Verdict = record<LiveVerdict>({ id: "LiveVerdict" })({
  value: oneOf(LIVE_VALUES)("the first that applies"),
  sentence: text("to be repeated to somebody else"),
  cautions: list(CheckWarning)(),
  withheld_reason: text.orNull(),
  error_rates: object(Rates)(),
});

const Account = record<LiveFigures["account"]>()({
  return_pct: percent("of the live days, compounded", ({ growth }) => growth - 1),
  stop_return_pct: percent.orNull(
    "where the claim would be contradicted today; null without one",
    ({ stopGrowth }) => stopGrowth - 1,
  ),
});

export const CheckLive = record<LiveFigures>({
  id: "CheckLive",
  description: "Whether a live record is still what the backtest promised.",
})({
  first: text("first live day"),
  last: text("last live day"),
  cut: text("from which live counts, and the backtest no longer does"),
  days: int(),
  active_days: int("with a return other than 0"),
  losing_days: int(),
  gap_days: int("between the two records"),
  dropped_live_days: int("before the cut"),
  dropped_backtest_days: int("from the cut on"),
  periods_per_year: number("live days in a year"),
  account: object(Account)("what became of the money"),
  sharpe: number.orNull("live, a year"),
  volatility_ratio: number.orNull("live over backtest, a year"),
  dependence: number.orNull("days that count as one"),
  claim: object(Claim)(),
  stop: object(Stop)(),
  holds: object(Evidence)("an edge, against none"),
  decay: object(Decay)("a stretch of late without the edge"),
  how_long: object(Long)("how soon one can know"),
  overlap: object(Overlap).orNull("days that both records have"),
  picture: object(PictureLines)(),
  verdict: object(Verdict)(),
});

export type CheckLive = Json<typeof CheckLive>;
