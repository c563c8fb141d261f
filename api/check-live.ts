import type { CheckWarning as Warning } from "../quant/check/panel.ts";
import type { HowLong, StopTimes } from "../quant/live/how-long.ts";
import {
  LIVE_VALUES,
  type ContradictionFigures,
  type DecayFigures,
  type EvidenceFigures,
  type LiveClaim,
  type LiveErrorRates,
  type LiveFigures,
  type LiveVerdict,
  type OverlapFigures,
} from "../quant/live/live-report.ts";
import type { Fan, Picture } from "../quant/live/picture.ts";
import { int, ints, list, number, object, oneOf, percent, percents, text } from "./members.ts";
import { record, type Json } from "./record.ts";

/** Something that was done to the data, or that makes them doubtful. */
export const CheckWarning = record<Warning>({ id: "CheckWarning" })({
  code: text("", (warning) => warning.code),
  message: text("", (warning) => warning.message),
});

const Trials = record<LiveClaim["nTrials"]>()({
  value: int("", (trials) => trials.value),
  source: oneOf(["measured", "declared", "assumed"])(
    "`assumed`: one, where none was said",
    (trials) => trials.source,
  ),
});

const Claim = record<LiveClaim>({
  id: "LiveClaim",
  description: "What of the backtest's Sharpe ratio is left after luck; all a year's.",
})({
  sharpe: number.orNull("of the backtest before the first live day", (claim) => claim.sharpe),
  after_luck: number.orNull("median-unbiased", (claim) => claim.afterLuck),
  error: number.orNull("standard error", (claim) => claim.error),
  lower: number.orNull("lower limit, 97.5 % sure", (claim) => claim.lower),
  method: oneOf(["only_one", "best_of_any", "beat_the_others"])("", (claim) => claim.method),
  n_trials: object(Trials)("", (claim) => claim.nTrials),
  bars: int("of the backtest", (claim) => claim.bars),
});

const evidence = {
  evidence: number.orNull("of all live days; 20 is reached", (of: EvidenceFigures) => of.evidence),
  evidence_highest: number.orNull("", (of: EvidenceFigures) => of.evidenceHighest),
  reached_on: text.orNull("first day at 20 or more", (of: EvidenceFigures) => of.reachedOn),
  evidence_reason: text.orNull("why there is none", (of: EvidenceFigures) => of.evidenceReason),
};
const Evidence = record<EvidenceFigures>({ id: "LiveEvidence" })(evidence);
const Contradiction = record<ContradictionFigures>()({
  ...evidence,
  up_to_trials: int("most trials at which it is reached; 0 for none", (of) => of.upToTrials),
});

const Stop = record<LiveFigures["stop"]>()({
  contradiction: object(Contradiction)("no edge, against the claim", (stop) => stop.contradiction),
  loses: object(Evidence)("a loss, against no edge", (stop) => stop.loses),
});

const Decay = record<DecayFigures>()({
  once_in_days: number.orNull(
    "how rarely a strategy as good as claimed shows such a stretch, at the least; rare where above `days` and a year",
    (decay) => decay.onceInDays,
  ),
  since: text.orNull("the stretch's first day", (decay) => decay.since),
  reached_on: text.orNull("first day on which it was too rare", (decay) => decay.reachedOn),
  once_in_days_reason: text.orNull("why there is none", (decay) => decay.onceInDaysReason),
});

const Times = record<StopTimes>({ id: "LiveStopTimes" })({
  share_1y: number("stopped within a year", (times) => times.share1y),
  share_3y: number("within three", (times) => times.share3y),
  median_days: number.orNull("null where never", (times) => times.medianDays),
});

const StopTimesBy = record<NonNullable<HowLong["stop"]>>()({
  none: object(Times)("without an edge", (stop) => stop.none),
  half: object(Times)("with half of the claim", (stop) => stop.half),
  minus_one: object(Times)("with a Sharpe ratio of -1", (stop) => stop.minusOne),
});

const HoldsDays = record<HowLong["holdsDays"]>()({
  claim: number.orNull("at the claim", (days) => days.claim),
  one: number.orNull("at a Sharpe ratio of 1", (days) => days.one),
  two: number.orNull("at 2", (days) => days.two),
  three: number.orNull("at 3", (days) => days.three),
});

const Long = record<LiveFigures["howLong"]>()({
  stop: object(StopTimesBy).orNull("how soon the claim is contradicted", (long) => long.stop),
  stop_reason: text.orNull("why there is none", (long) => long.stopReason),
  holds_days: object(HoldsDays)("days until an edge shows, as a median", (long) => long.holdsDays),
});

const Overlap = record<OverlapFigures>()({
  days: int("", (overlap) => overlap.days),
  correlation: number.orNull("", (overlap) => overlap.correlation),
  difference_pct: percent.orNull("live less backtest, a year", (overlap) => overlap.difference),
  difference_t: number.orNull("its t-ratio", (overlap) => overlap.differenceT),
});

const FanLines = record<Fan>()({
  p5: percents("", (fan) => fan.p5),
  p25: percents("", (fan) => fan.p25),
  p50: percents("", (fan) => fan.p50),
  p75: percents("", (fan) => fan.p75),
  p95: percents("", (fan) => fan.p95),
});

const PictureLines = record<Picture>({
  id: "LivePicture",
  description: "Sums of daily returns, in percent.",
})({
  day: ints("counted from 1", (picture) => picture.day),
  live_pct: percents("null on days to come", (picture) => picture.live),
  fan: object(FanLines).orNull(
    "quantiles of what strategies as good as claimed show",
    (picture) => picture.fan,
  ),
  stop_line_pct: percents.orNull("holds for ever", (picture) => picture.stopLine),
  others_line_pct: percents.orNull(
    "where 1 in 20 lies below on any one day: not to be looked at daily",
    (picture) => picture.othersLine,
  ),
});

const Rates = record<LiveErrorRates>({ id: "LiveErrorRates" })({
  variants: int("variants they were measured at", (rates) => rates.variants),
  bars: int("bars they were measured at", (rates) => rates.bars),
  false_stop_3y: number(
    "sound strategies stopped within 3 years, at worst",
    (of) => of.falseStop3y,
  ),
  false_stop_10y: number("within 10 years", (of) => of.falseStop10y),
  false_holds_10y: number("`holds` without an edge within 10 years", (of) => of.falseHolds10y),
});

const Verdict = record<LiveVerdict>({ id: "LiveVerdict" })({
  value: oneOf(LIVE_VALUES)("the first that applies", (verdict) => verdict.value),
  sentence: text("to be repeated to somebody else", (verdict) => verdict.sentence),
  cautions: list(CheckWarning)("", (verdict) => verdict.cautions),
  withheld_reason: text.orNull("", (verdict) => verdict.withheldReason),
  error_rates: object(Rates)("", (verdict) => verdict.errorRates),
});

/** Whether a live record is still what the backtest promised. */
export const CheckLive = record<LiveFigures>({
  id: "CheckLive",
  description: "Whether a live record is still what the backtest promised.",
})({
  first: text("first live day", (live) => live.first),
  last: text("last live day", (live) => live.last),
  cut: text("from which live counts, and the backtest no longer does", (live) => live.cut),
  days: int("", (live) => live.days),
  active_days: int("with a return other than 0", (live) => live.activeDays),
  losing_days: int("", (live) => live.losingDays),
  gap_days: int("between the two records", (live) => live.gapDays),
  dropped_live_days: int("before the cut", (live) => live.droppedLiveDays),
  dropped_backtest_days: int("from the cut on", (live) => live.droppedBacktestDays),
  periods_per_year: number("live days in a year", (live) => live.periodsPerYear),
  sharpe: number.orNull("live, a year", (live) => live.sharpe),
  volatility_ratio: number.orNull("live over backtest, a year", (live) => live.volatilityRatio),
  dependence: number.orNull("days that count as one", (live) => live.dependence),
  claim: object(Claim)("", (live) => live.claim),
  stop: object(Stop)("", (live) => live.stop),
  holds: object(Evidence)("an edge, against none", (live) => live.holds),
  decay: object(Decay)("a stretch of late without the edge", (live) => live.decay),
  how_long: object(Long)("how soon one can know", (live) => live.howLong),
  overlap: object(Overlap).orNull("days that both records have", (live) => live.overlap),
  picture: object(PictureLines)("", (live) => live.picture),
  verdict: object(Verdict)("", (live) => live.verdict),
});

export type CheckLive = Json<typeof CheckLive>;
