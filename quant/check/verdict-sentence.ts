import { eventName } from "./event-name.ts";
import type { ReadColumn } from "./panel.ts";
import type { Verdict } from "./verdict.ts";

export interface SentenceInput {
  readonly verdict: Verdict;
  readonly trials: number;
  readonly declared: boolean;
  readonly isMatrix: boolean;
  readonly pbo: number;
  readonly coin: string | undefined;
  /** Whether one was named that has no returns over these days. */
  readonly isCoinMissing: boolean;
  /** Whether the file says that several coins were traded. */
  readonly isOfSeveral: boolean;
  /** Which of the file's columns it is about; undefined where there is only one. */
  readonly judged: string | undefined;
}

/** A chance as people say it, to two digits at most: "2 times in 100", "3 times in 1,000". */
export function timesInHundred(chance: number): string {
  if (chance < 0.001) return "less than once in 1,000 times";
  if (chance < 0.01) return times(Math.round(1000 * chance), "1,000");
  if (chance > 0.05 && chance < 0.055) return "just over 5 times in 100"; // what is 5 speaks against luck
  return chance > 0.99 ? "more than 99 times in 100" : times(Math.round(100 * chance), "100");
}

function times(count: number, of: string): string {
  return count === 1 ? `once in ${of} times` : `${count} times in ${of}`;
}

/** The verdict in at most two sentences fit to quote. It never says that a strategy works. */
export function verdictSentence(input: SentenceInput): string {
  const { verdict, coin } = input;
  const isOpen = coin === undefined && !input.isCoinMissing && verdict.value !== "luck";
  if (!isOpen) return mainSentence(input);
  const which = input.isOfSeveral ? "one of its coins" : "the coin";
  return `${mainSentence(input)} A long position in a rising market passes, too: name ${which} to test against holding it.`;
}

/** What else there is to say: each a sentence of its own. */
export function verdictNotes({
  verdict,
  isMatrix,
  declared,
  pbo,
  judged,
}: SentenceInput): string[] {
  const { breakEvenTrials } = verdict;
  const asks = !isMatrix && !declared && !Number.isNaN(breakEvenTrials);
  return [
    ...(asks ? [trialsQuestion(breakEvenTrials)] : []),
    ...(pbo > 0.5
      ? [
          "Which variant was picked carries no information: the one that is best on half of the days ranks below the " +
            `middle on the other half ${timesInHundred(pbo)}.`,
        ]
      : []),
    ...(judged === undefined ? [] : [judged]),
  ];
}

/** Up to this many columns are named; the rest are counted. */
const LEFT_OUT_MAX = 8;

/** Which column was judged and which were left out, where the file had several. */
export function judgedWords(name: string, columns: readonly ReadColumn[]): string | undefined {
  const left = columns.filter(({ use }) => use === "left_out").map((column) => column.name);
  const others = columns.filter(({ use }) => use !== "dates");
  if (others.length < 2) return undefined;
  const names = left.slice(0, LEFT_OUT_MAX).join(", ");
  const more = left.length > LEFT_OUT_MAX ? ` and ${left.length - LEFT_OUT_MAX} more` : "";
  return `Judged is the column "${name}"${left.length === 0 ? "" : `; left out: ${names}${more}`}.`;
}

function mainSentence({ verdict, trials, coin, isMatrix, declared }: SentenceInput): string {
  const { value, pValue, withheldReason, breakEvenTrials } = verdict;
  const name = eventName(value, withheldReason !== null);
  if (withheldReason !== null) {
    const passes = !isMatrix && !declared && breakEvenTrials > 0;
    const upTo = passes
      ? `: up to ${count(breakEvenTrials)} it would pass, above that luck explains it`
      : "";
    return `${name}: ${withheldReason}${upTo}.`;
  }
  const tries = trials === 1 ? "with a single try" : `with ${count(trials)} tries`;
  const often = `${tries}, luck alone does this well ${timesInHundred(pValue)}`;
  if (value === "skill") {
    const held =
      coin === undefined ? "" : `, and holding ${coin} over the same days doesn't explain it`;
    return `${name}: ${often}${held}.`;
  }
  const against =
    coin === undefined ? "" : `, measured against cash or holding ${coin}, whichever is harder`;
  const needed = value === "luck" ? "" : "; 5 or fewer would speak against luck";
  return `${name}: ${often}${against}${needed}.`;
}

const count = (value: number) => value.toLocaleString("en-US");

function trialsQuestion(breakEven: number): string {
  if (breakEven === 0) return "Even as the only variant ever tried it isn't enough.";
  return (
    `How many variants did you try before this one, parameters and ideas given up included? Up to ` +
    `${count(breakEven)} it would pass; above that, luck explains it.`
  );
}
