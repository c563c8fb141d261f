import { mean } from "../sample-statistics.ts";

/** What a choice among the runs of a cell was worth: the pick's annual Sharpe less the mean of the runs. */
export interface Premium {
  readonly inSample: number;
  readonly outOfSample: number;
}

export const NO_PREMIUM: Premium = { inSample: NaN, outOfSample: NaN };

/** The annual Sharpe ratios of a cell's runs, NaN where one did not move. */
export interface CellSharpes {
  readonly inSample: readonly number[];
  readonly outOfSample: readonly number[];
}

/**
 * The run with the best score, the first on a tie; -1 if there is none. A run that did not move in-sample
 * cannot be picked.
 */
export function pickOf(scores: readonly number[], inSample = scores): number {
  let pick = -1;
  for (const [run, score] of scores.entries()) {
    if (Number.isNaN(score) || Number.isNaN(inSample[run])) continue;
    if (pick < 0 || score > scores[pick]!) pick = run;
  }
  return pick;
}

/**
 * The premium of a pick. Both means are over the runs that could be picked: those that moved in-sample, and out
 * of them those that moved out-of-sample too. A pick that did not move out-of-sample has no premium.
 */
export function premiumOf(pick: number, { inSample, outOfSample }: CellSharpes): Premium {
  if (pick < 0 || Number.isNaN(outOfSample[pick])) return NO_PREMIUM;
  const after = outOfSample.map((sharpe, run) => (Number.isNaN(inSample[run]) ? NaN : sharpe));
  return {
    inSample: inSample[pick]! - mean(inSample),
    outOfSample: outOfSample[pick]! - mean(after),
  };
}
