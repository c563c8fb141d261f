import type { BacktestInputs } from "./backtest-inputs.ts";

export type Verdict = "skill" | "inconclusive" | "luck";

/** DSR from which the verdict is skill, and the confidence of the minimum track record. */
export const CONFIDENCE = 0.95;
const LUCK_BELOW = 0.5;
const FAMILY_WISE_LEVEL = 0.05;

interface Findings {
  readonly expectedMaxSharpe: number;
  readonly deflatedSharpeRatio: number;
  readonly fwerPValue: number;
}

export function verdictOf(deflatedSharpeRatio: number): Verdict {
  if (deflatedSharpeRatio >= CONFIDENCE) return "skill";
  return deflatedSharpeRatio < LUCK_BELOW ? "luck" : "inconclusive";
}

/**
 * The verdict in words, with the figures behind it. It names the family-wise test as well because the two
 * can disagree: DSR 0.95 asks for more than beating the best of as many lucky trials.
 */
export function verdictSentence(inputs: BacktestInputs, findings: Findings): string {
  const { expectedMaxSharpe, deflatedSharpeRatio, fwerPValue } = findings;
  const trials = inputs.nTrials === 1 ? "one trial" : `the best of ${inputs.nTrials} trials`;
  const passes = fwerPValue < FAMILY_WISE_LEVEL;
  const lucky =
    inputs.nTrials === 1 ? "a lucky trial" : `the best of ${inputs.nTrials} lucky trials`;
  return (
    `${OPENING[verdictOf(deflatedSharpeRatio)]}: by luck alone, ${trials} would show a Sharpe of ` +
    `about ${expectedMaxSharpe.toFixed(2)}; this backtest shows ${inputs.sharpe.toFixed(2)} ` +
    `(deflated Sharpe ratio ${deflatedSharpeRatio.toFixed(3)}). By the family-wise test it is ` +
    `${passes ? "" : "not "}better than ${lucky} at 5 % (p = ${fwerPValue.toPrecision(2)}).`
  );
}

const OPENING: Record<Verdict, string> = {
  skill: "Survives deflation",
  inconclusive: "Inconclusive",
  luck: "Explained by luck",
};
