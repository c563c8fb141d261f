import type { CheckOptions } from "./check-options.ts";
import type { ReadColumn } from "./panel.ts";
import { saidWords, timingNotes } from "./timing-words.ts";
import type { TimingFigures } from "./timing.ts";
import type { PhaseFigures } from "./report.ts";
import type { Verdict } from "./verdict.ts";

interface SentenceInput {
  readonly verdict: Verdict;
  readonly trials: number;
  /** Whether the file doesn't show how many variants were tried. */
  readonly isHandful: boolean;
  readonly pbo: number;
  readonly options: Pick<
    CheckOptions,
    "source" | "nTrials" | "coin" | "coinMissing" | "traded" | "notTakenOut"
  >;
  readonly timing: TimingFigures | null;
  /** Which of the file's columns it is about; undefined where there is only one. */
  readonly judged: string | undefined;
  readonly phases: PhaseFigures | null;
}

const NAMES: Readonly<Record<Verdict["value"], string>> = {
  skill: "Luck would rarely do this",
  inconclusive: "Too close to call",
  luck: "Luck does this often",
};

/** What a verdict is called wherever people read it. */
export function eventName(value: Verdict["value"], isWithheld: boolean): string {
  return isWithheld ? "Not judged" : NAMES[value];
}

/**
 * A verdict in words: its name, at most two sentences fit to quote, and further ones. No sentence says that a strategy
 * works.
 */
export function verdictWords(input: SentenceInput) {
  const { verdict, options } = input;
  const event = eventName(verdict.value, verdict.withheldReason !== null);
  const isCoinOpen = options.coin === undefined && options.coinMissing === undefined;
  const which = (options.traded ?? []).length > 1 ? "its coins" : "the coin";
  const column = options.source.mayBeMarket;
  const orColumn = column === undefined ? "" : `, or its column (--benchmark ${quoted(column)}),`;
  const more =
    isCoinOpen && verdict.value !== "luck" && verdict.withheldCode === null
      ? ` A long position in a rising market passes, too: name ${which}${orColumn} to test against holding it.`
      : "";
  return { event, sentence: `${event}: ${reasonOf(input)}.${more}`, notes: notesOf(input) };
}

const quoted = (name: string) => (/^[\w.-]+$/.test(name) ? name : `"${name}"`);

/** What a test against some coins leaves in the returns. */
export const notTakenOutWords = (coins: readonly string[]) =>
  `the rise of ${coins.join(", ")} is not taken out`;

/** A chance in everyday words, to two digits at most: "2 times in 100", "3 times in 1,000". */
export function timesInHundred(chance: number): string {
  if (chance < 0.001) return "less than once in 1,000 times";
  if (chance < 0.01) return times(Math.round(1000 * chance), "1,000");
  if (chance > 0.05 && chance < 0.055) return "just over 5 times in 100"; // 5 would speak against luck
  return chance > 0.99 ? "more than 99 times in 100" : times(Math.round(100 * chance), "100");
}

function times(count: number, noun: string): string {
  return count === 1 ? `once in ${noun} times` : `${count} times in ${noun}`;
}

function notesOf(input: SentenceInput): string[] {
  const { verdict, isHandful, options, pbo, timing, judged, phases } = input;
  const { breakEvenTrials, luckTrials } = verdict;
  const asks = isHandful && options.nTrials === undefined && !Number.isNaN(breakEvenTrials);
  const pick =
    "Which variant was picked carries no information: the one that is best on half of the days ranks below the " +
    `middle on the other half ${timesInHundred(pbo)}.`;
  return [
    ...(asks ? [trialsQuestion(breakEvenTrials, luckTrials)] : []),
    ...(pbo > 0.5 ? [pick] : []),
    ...(timing === null ? [] : timingNotes(timing, verdict.withheldReason)),
    ...(phases === null || Number.isNaN(phases.pValue + verdict.pValue)
      ? []
      : [
          `If good and bad phases last up to ${phases.bars} bars, luck does this well ${timesInHundred(phases.pValue)}.`,
        ]),
    ...(judged === undefined ? [] : [judged]),
  ];
}

/** Up to this many columns are named, and the rest are counted. */
const LEFT_OUT_MAX = 8;

/** A sentence on the columns that were judged and left out; undefined where the file has only one. */
export function judgedWords(name: string, columns: readonly ReadColumn[]): string | undefined {
  const left = columns.filter(({ use }) => use === "left_out").map((column) => column.name);
  const others = columns.filter(({ use }) => use !== "dates");
  const counted = columns.find(({ use }) => use === "judged")?.name;
  if (others.length < 2 || (columns.some(({ use }) => use === "trade") && counted === undefined))
    return undefined; // computed from prices
  const names = left.slice(0, LEFT_OUT_MAX).join(", ");
  const more = left.length > LEFT_OUT_MAX ? ` and ${left.length - LEFT_OUT_MAX} more` : "";
  return `Judged is the column "${counted ?? name}"${left.length === 0 ? "" : `; left out: ${names}${more}`}.`;
}

function reasonOf({ verdict, trials, options, isHandful, timing }: SentenceInput): string {
  const { value, pValue, withheldReason, breakEvenTrials, luckTrials, isLoss } = verdict;
  if (withheldReason !== null) {
    const passes = isHandful && options.nTrials === undefined && breakEvenTrials > 0;
    return passes
      ? `${withheldReason}: ${stepsOf(breakEvenTrials, luckTrials)}${saidWords(timing)}`
      : withheldReason;
  }
  const coin = options.coin?.name;
  const tries = trials === 1 ? "with a single try" : `with ${count(trials)} tries`;
  const often = isLoss
    ? `it lost money, and ${tries} luck alone does as well ${timesInHundred(pValue)}`
    : `${tries}, luck alone does this well ${timesInHundred(pValue)}`;
  if (value === "skill") {
    const held =
      coin === undefined ? "" : `, and holding ${coin} over the same days doesn't explain it`;
    const open = options.notTakenOut ?? [];
    const left = open.length === 0 ? "" : `; ${notTakenOutWords(open)}`;
    return `${often}${held}${saidWords(timing)}${left}`;
  }
  const against =
    coin === undefined ? "" : `, measured against cash or holding ${coin}, whichever is harder`;
  return `${often}${against}${value === "luck" ? "" : "; 5 in 100 or fewer would speak against luck"}`;
}

/** The three steps of the verdict by the number of tries. */
function stepsOf(breakEven: number, luck: number): string {
  const between = luck > breakEven + 1 ? ", in between it is too close to call" : "";
  return `up to ${count(breakEven)} it passes, from ${count(luck)} luck does it often${between}`;
}

const count = (value: number) => value.toLocaleString("en-US");

function trialsQuestion(breakEven: number, luck: number): string {
  if (breakEven === 0) return "Even as the only variant ever tried it isn't enough.";
  return (
    `How many variants did you try before this one, parameters and ideas given up included? ` +
    `${stepsOf(breakEven, luck).replace("u", "U")}.`
  );
}
