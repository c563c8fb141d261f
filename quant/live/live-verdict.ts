import { normalCdf } from "../overfitting/normal-cdf.ts";
import { ACTIVE_MIN, REACHED } from "./evidence.ts";
import { VOLATILITY_APART } from "./live-cautions.ts";
import type { evidenceFigures } from "./evidence-figures.ts";
import type { HowLong } from "./how-long.ts";
import type { LiveValue } from "./live-values.ts";

/** A record is worse than promised where fewer strategies as good as claimed are as low on a day named beforehand... */
const BELOW_SHARE = 0.05;
/** ... or the evidence against the claim is larger today. */
const BELOW_EVIDENCE = 5;
/** What the account began with, in words. */
const START = 10_000;

/** What the verdict rests on. */
interface LiveEvidence extends ReturnType<typeof evidenceFigures> {
  readonly days: number;
  readonly activeDays: number;
  readonly periodsPerYear: number;
  readonly sharpe: number;
  readonly dependence: number;
  readonly account: { readonly growth: number };
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

/** The verdict, and sentences fit to quote: the money first, then the edge. None says to go on. */
export function liveWords(evidence: LiveEvidence, standing: Standing) {
  const value = valueOf(evidence, standing);
  return {
    value,
    sentence: `${moneyWords(evidence)} ${sentenceOf(value, evidence, standing.withheldReason)}`,
  };
}

function moneyWords({ account: { growth }, days }: LiveEvidence): string {
  const percent = 100 * Math.abs(growth - 1);
  const money = (value: number) => Math.round(value).toLocaleString("en-US");
  return (
    `It ${growth < 1 ? "lost" : "made"} ${percent.toFixed(percent < 10 ? 1 : 0)} % in ${days.toLocaleString("en-US")} days ` +
    `(${money(START)} -> ${money(START * growth)}).`
  );
}

/** The first verdict that applies. Where the number of trials is only assumed, the claim cannot be contradicted. */
function valueOf(evidence: LiveEvidence, { withheldReason, isDecayed }: Standing): LiveValue {
  const isKnown = evidence.claim.nTrials.source !== "assumed";
  if (withheldReason !== null) return "withheld";
  if (evidence.activeDays < ACTIVE_MIN) return "too_early";
  if (evidence.stop.loses.reachedOn !== null) return "stop_loses";
  if (evidence.stop.contradiction.reachedOn !== null && isKnown) return "stop_contradicted";
  if (isDecayed && isKnown) return "decayed";
  if (isBelow(evidence)) return "below";
  if (evidence.holds.reachedOn !== null && evidence.account.growth >= 1) return "holds";
  return evidence.claim.afterLuck > 0 ? "open" : "no_claim";
}

function isBelow(evidence: LiveEvidence): boolean {
  const isLow =
    lowShare(evidence) < BELOW_SHARE || evidence.stop.contradiction.evidence > BELOW_EVIDENCE;
  return evidence.claim.afterLuck > 0 && isLow;
}

/** The share of strategies as good as claimed whose Sharpe ratio is as low on a day that was named beforehand. */
function lowShare({ sharpe, claim, dependence, days, periodsPerYear }: LiveEvidence): number {
  const error = Math.hypot(claim.error, Math.sqrt((dependence * periodsPerYear) / days));
  return normalCdf((sharpe - claim.afterLuck) / error);
}

const decimals = (value: number) => (Math.round(100 * value) / 100 + 0).toFixed(2);
const digits = (value: number) =>
  value < 10 ? decimals(value) : Number(value.toPrecision(3)).toLocaleString("en-US");
const daysWords = (days: number) =>
  Number.isNaN(days) ? "more than a hundred years" : `${days.toLocaleString("en-US")} days`;

/** Of a hundred: "fewer than 1 of 100". */
function shareWords(share: number): string {
  const count = Math.round(100 * share);
  if (count < 1) return "fewer than 1 of 100";
  return count > 99 ? "more than 99 of 100" : `${count} of 100`;
}

const RARE = 1e-6;

/** How many are as low, with their verb: "1 in 5,000 is". */
function rarityWords(share: number): string {
  if (share < RARE) return "fewer than 1 in a million are";
  if (share < 0.015) return `1 in ${Number((1 / share).toPrecision(1)).toLocaleString("en-US")} is`;
  return share > 0.99 ? "more than 99 in 100 are" : `${Math.round(100 * share)} in 100 are`;
}

function sentenceOf(
  value: LiveValue,
  evidence: LiveEvidence,
  withheldReason: string | null,
): string {
  const { stop, holds, decay, claim, howLong } = evidence;
  switch (value) {
    case "withheld":
      return `No verdict: ${withheldReason}.`;
    case "too_early":
      return `Too early to judge the edge: ${evidence.activeDays} of ${ACTIVE_MIN} days with a return other than 0.`;
    case "stop_loses":
      return `Stop: since ${stop.loses.reachedOn} the live days alone show a loss: of strategies without an edge, at most 5 in 100 lose like this, however long one looks.${swingWords(evidence)}`;
    case "stop_contradicted":
      return (
        `Stop: the live record contradicts the claim. On ${stop.contradiction.reachedOn} the evidence against ` +
        `the claim of ${decimals(claim.afterLuck)} a year after luck reached ${REACHED}, which strategies as good as their backtest reach ` +
        `in at most 7 of 100; costs that it left out do this, too.${swingWords(evidence)}`
      );
    case "decayed":
      return (
        `It looks as if the edge had gone since ${decay.since}: a strategy as good as claimed shows a stretch like this once ` +
        `in ${Math.floor(decay.onceInDays / evidence.periodsPerYear).toLocaleString("en-US")} years or less often. One false alarm in ten years is normal: look for ` +
        "the cause, at a lower stake or none."
      );
    case "holds":
      return `It holds: since ${holds.reachedOn} the live days alone show an edge; luck without one does that in at most about 5 % of cases, however long one looks. That it goes on is not said.`;
    case "no_claim":
      return (
        `There is no claim to hold it to: ${unclaimedWords(claim)}. ` +
        `Only live days can show an edge; with a true Sharpe ratio of 2 that takes about ${daysWords(howLong.holdsDays.two)}.`
      );
    case "below":
      return openSentence("Worse than promised, not yet proof", evidence);
    case "open":
      return openSentence("Too early to tell", evidence);
  }
}

/** Why nothing is claimed: luck explains all of it, or the backtest itself gained nothing. */
function unclaimedWords({ sharpe, nTrials }: LiveEvidence["claim"]): string {
  const ratio = `Sharpe ratio of ${decimals(sharpe)}`;
  if (sharpe <= 0) return `the backtest itself has a ${ratio}`;
  return `after ${triesOf(nTrials.value)} nothing of the ${ratio} is left`;
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

function openSentence(name: string, evidence: LiveEvidence): string {
  const { claim, stop, howLong } = evidence;
  const { reachedOn, upToTrials } = stop.contradiction;
  const isAsked = claim.nTrials.source === "assumed";
  if (isAsked && reachedOn !== null) {
    return (
      `How many variants did you try? Up to ${upToTrials.toLocaleString("en-US")} the live record contradicts the claim, which would be ` +
      "a stop; of more, less of the claim is left."
    );
  }
  const { share1y, share3y, medianDays } = howLong.stop!.none; // a claim has it
  const edge = `a Sharpe ratio of ${decimals(claim.afterLuck)} a year after luck`;
  const said = [
    `${name}: of strategies as good as claimed, ${edge}, ${rarityWords(lowShare(evidence))} that low on a day named beforehand.`,
    `Our line for looking every day is not reached: of strategies without an edge it finds ${shareWords(share1y)} in a year, ${shareWords(share3y)} in three.`,
  ];
  if (Number.isNaN(medianDays)) said.push("This claim can't be told from no edge.");
  if (isAsked)
    said.push(
      "How many variants did you try? That is for one; each more leaves less of the claim.",
    );
  return said.join(" ");
}
