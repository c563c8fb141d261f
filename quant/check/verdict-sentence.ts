import type { ReadColumn } from "./panel.ts";
import type { Verdict } from "./verdict.ts";

interface SentenceInput {
  readonly verdict: Verdict;
  /** Sharpe ratio a year of the variant that is judged. */
  readonly sharpe: number;
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

const percent = (share: number) => {
  const value = 100 * share;
  if (value < 0.1) return "less than 0.1 %";
  if (value > 5 && value < 5.05) return "just over 5 %"; // what is 5 % speaks against luck
  if (value > 99) return "more than 99 %";
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} %`;
};

/** Never "-0.00". */
const twoDecimals = (value: number) => (Math.round(100 * value) / 100 + 0).toFixed(2);

/** The verdict in words fit to quote. It never says that a strategy works. */
export function verdictSentence(input: SentenceInput): string {
  const { verdict, isMatrix, declared, pbo, coin } = input;
  const parts = [mainSentence(input)];
  const { breakEvenTrials } = verdict;
  const asks = !isMatrix && !declared && !Number.isNaN(breakEvenTrials);
  if (asks) parts.push(trialsQuestion(breakEvenTrials));
  if (pbo > 0.5) {
    parts.push(
      "Which variant was picked carries no information: the one that is best on half of the days ranks below the " +
        `middle on the other half ${percent(pbo)} of the time.`,
    );
  }
  if (coin === undefined && !input.isCoinMissing && verdict.value !== "luck") {
    const which = input.isOfSeveral ? "one of its coins" : "the coin";
    parts.push(
      `A long position in a rising market passes, too: name ${which} to test against holding it.`,
    );
  }
  if (input.judged !== undefined) parts.push(input.judged);
  return parts.join(" ");
}

/** Names of columns that are listed; of more, their number is. */
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

function mainSentence({ verdict, sharpe, trials, coin }: SentenceInput): string {
  const { value, pValue, withheldReason } = verdict;
  const best = trials === 1 ? "a single variant" : `the best of ${trials} variants`;
  const against =
    coin === undefined ? "" : `, against cash or holding ${coin}, whichever is harder`;
  const well = `at least this well, a Sharpe ratio of ${twoDecimals(sharpe)} a year,`;
  const does = `${best} without any edge does ${well} ${percent(pValue)} of the time${against}`;
  if (withheldReason !== null) return `Inconclusive: ${withheldReason}.`;
  if (value === "skill") return `Luck alone would rarely do this: ${does}.`;
  if (value === "luck") return `No evidence against luck: ${does}.`;
  return `This may be luck: ${does}; only 5 % or less would speak against it.`;
}

function trialsQuestion(breakEven: number): string {
  if (breakEven === 0) return "Even as the only variant ever tried it isn't enough.";
  return (
    `How many variants did you try before this one, parameters and ideas given up included? Up to ` +
    `${breakEven.toLocaleString("en-US")} it would pass; above that, luck explains it.`
  );
}
