import { ACTIVE_MIN, REACHED } from "./evidence.ts";
import { VOLATILITY_APART } from "./live-cautions.ts";
import type { evidenceFigures } from "./evidence-figures.ts";
import type { HowLong, StopTimes } from "./how-long.ts";

export const LIVE_VALUES = [
  "withheld",
  "too_early",
  "stop_loses",
  "stop_contradicted",
  "decayed",
  "holds",
  "no_claim",
  "open",
] as const;
type LiveValue = (typeof LIVE_VALUES)[number];

/** 5 % of a normal distribution lie this many deviations or more below its mean. */
const OF_NINETEEN_IN_TWENTY = 1.645;

/** What the verdict rests on. */
interface LiveEvidence extends ReturnType<typeof evidenceFigures> {
  readonly days: number;
  readonly activeDays: number;
  readonly periodsPerYear: number;
  readonly sharpe: number;
  readonly dependence: number;
  readonly volatilityRatio: number;
  readonly claim: {
    readonly sharpe: number;
    readonly afterLuck: number;
    readonly error: number;
    readonly nTrials: { readonly value: number; readonly source: string };
  };
  readonly howLong: HowLong;
}

/** What the figures don't say. */
interface Standing {
  readonly withheldReason: string | null;
  /** Whether decay is reached today. */
  readonly isDecayed: boolean;
}

/** The verdict, and a sentence fit to quote. A stop speaks of the edge alone, never of money. */
export function liveWords(of: LiveEvidence, standing: Standing) {
  const value = valueOf(of, standing);
  return { value, sentence: sentenceOf(value, of, standing.withheldReason) };
}

/** The first verdict that applies. Where the number of trials is only assumed, the claim cannot be contradicted. */
function valueOf(of: LiveEvidence, { withheldReason, isDecayed }: Standing): LiveValue {
  const isKnown = of.claim.nTrials.source !== "assumed";
  if (withheldReason !== null) return "withheld";
  if (of.activeDays < ACTIVE_MIN) return "too_early";
  if (of.stop.loses.reachedOn !== null) return "stop_loses";
  if (of.stop.contradiction.reachedOn !== null && isKnown) return "stop_contradicted";
  if (isDecayed && isKnown) return "decayed";
  if (of.holds.reachedOn !== null) return "holds";
  return of.claim.afterLuck > 0 ? "open" : "no_claim";
}

const decimals = (value: number) => (Math.round(100 * value) / 100 + 0).toFixed(2);
const digits = (value: number) =>
  value < 10 ? decimals(value) : Number(value.toPrecision(3)).toLocaleString("en-US");
const daysWords = (days: number) =>
  Number.isNaN(days) ? "more than a hundred years" : `${days.toLocaleString("en-US")} days`;

function shareWords(share: number): string {
  const count = Math.round(100 * share);
  if (count < 1) return "fewer than 1 in 100";
  return count > 99 ? "more than 99 in 100" : `${count} in 100`;
}

function sentenceOf(value: LiveValue, of: LiveEvidence, withheldReason: string | null): string {
  const { stop, holds, decay, claim, howLong } = of;
  switch (value) {
    case "withheld":
      return `No verdict: ${withheldReason}.`;
    case "too_early":
      return `Too early: ${of.activeDays} of ${ACTIVE_MIN} days with a return other than 0. Whatever it shows so far, it shows nothing.`;
    case "stop_loses":
      return `Stop: since ${stop.loses.reachedOn} the live days alone show a loss: of strategies without an edge, at most 5 in 100 lose like this, however long one looks.${swingWords(of)}`;
    case "stop_contradicted":
      return (
        `Stop: the live record contradicts the claim. On ${stop.contradiction.reachedOn} the evidence against ` +
        `the claim of ${decimals(claim.afterLuck)} a year after luck reached ${REACHED}, which strategies as good as their backtest reach ` +
        `in at most 7 of 100; costs that it left out do this, too.${swingWords(of)}`
      );
    case "decayed":
      return (
        `It looks as if the edge had gone since ${decay.since}: a strategy as good as claimed shows a stretch like this once ` +
        `in ${Math.floor(decay.onceInDays / of.periodsPerYear).toLocaleString("en-US")} years or less often. One false alarm in ten years is normal: lower ` +
        "the stake and look for the cause before you stop."
      );
    case "holds":
      return `It holds: since ${holds.reachedOn} the live days alone show an edge; luck without one does that in at most about 5 % of cases, however long one looks. That it goes on is not said.`;
    case "no_claim":
      return (
        `There is no claim to hold it to: after ${triesOf(claim.nTrials.value)} nothing of the Sharpe ratio of ${decimals(claim.sharpe)} is left. ` +
        `Only live days can show an edge; with a true Sharpe ratio of 2 that takes about ${daysWords(howLong.holdsDays.two)}.`
      );
    case "open":
      return openSentence(of);
  }
}

/** What a stop says of days that swing otherwise than the backtest's. */
function swingWords({ volatilityRatio: ratio }: LiveEvidence): string {
  if (ratio >= 1 / VOLATILITY_APART && ratio <= VOLATILITY_APART) return "";
  const swings = ` The live days swing ${digits(ratio)} times as far as the backtest's`;
  return ratio < 1
    ? `${swings}: at the same share of them a day, they earn less.`
    : `${swings}: at unchanged money a day, the Sharpe ratio has really fallen; 17 to 42 in 100 such records stop.`;
}

const triesOf = (trials: number) =>
  trials === 1 ? "one try" : `${trials.toLocaleString("en-US")} tries`;

function openSentence(of: LiveEvidence): string {
  const { claim, stop, days, howLong } = of;
  const edge = `a Sharpe ratio of ${decimals(claim.afterLuck)} a year after luck`;
  const { evidence, reachedOn, upToTrials } = stop.contradiction;
  const isAsked = claim.nTrials.source === "assumed";
  if (isAsked && reachedOn !== null) {
    return (
      `How many variants did you try? Up to ${upToTrials.toLocaleString("en-US")} the live record contradicts the claim, which would be ` +
      "a stop; of more, less of the claim is left, and it goes on."
    );
  }
  const shown = isBelowMost(of)
    ? `it shows less than 19 in 20 strategies as good as claimed, ${edge}, show on any one day, but many of them do so on some day`
    : `this is what a strategy as good as claimed, ${edge}, would show; a doubtful one could, too`;
  const keep =
    `Keep going: after ${days.toLocaleString("en-US")} days ${shown}: the evidence against the claim is ${digits(evidence)}, and ${REACHED} would be a stop. ` +
    soonSentence(howLong.stop!.none); // a claim has it
  if (!isAsked) return keep;
  return `${keep} How many variants did you try? That is for one; each more leaves less of the claim.`;
}

/** Whether 1 in 20 strategies as good as claimed, or fewer, show as little today. */
function isBelowMost({ sharpe, claim, dependence, days, periodsPerYear }: LiveEvidence): boolean {
  const error = Math.hypot(claim.error, Math.sqrt((dependence * periodsPerYear) / days));
  return sharpe < claim.afterLuck - OF_NINETEEN_IN_TWENTY * error;
}

function soonSentence(none: StopTimes): string {
  if (!Number.isNaN(none.medianDays))
    return `Without an edge, half of all would be stopped within ${daysWords(none.medianDays)}.`;
  return `Nobody can tell the two apart with this claim: without an edge ${shareWords(none.share3y)} would be stopped within 3 years.`;
}
