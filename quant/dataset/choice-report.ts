import { DAYS_PER_YEAR } from "../calendar.ts";
import { shapeOfReturns, sharpeRatio } from "../engine/statistics.ts";
import { cscv } from "../overfitting/cscv.ts";
import { deflatedSharpe, luckBar, nullTrialsVariance } from "../overfitting/deflated-sharpe.ts";
import { trialsSharpeVariance } from "../overfitting/trials-variance.ts";
import { pickOf } from "../robustness/cell-premium.ts";
import { CSCV_RUNS_MIN, DATASET_CSCV_BLOCKS } from "./definition.ts";
import type { TrialsRecord } from "./record.ts";

/**
 * One way to count the independent trials behind a choice, and what deflation by that count leaves of the
 * pick. Sharpe ratios are annual.
 */
interface Reckoning {
  /** `runs`, `implied_trials` or `effective_rank`. */
  readonly by: string;
  readonly trials: number;
  /** What the best of this many trials would show without skill, with V = 1/(T - 1). */
  readonly luckBar: number;
  readonly deflatedSharpe: number;
  /** The same with V as the variance of the runs' Sharpe ratios. */
  readonly luckBarOfTrials: number;
  readonly deflatedSharpeOfTrials: number;
}

export type ChoiceReport = NonNullable<ReturnType<typeof choiceReport>>;

/**
 * What choosing the best of some runs on the same coin was worth. Beyond the dataset's own figures it has deflation by
 * each way to count trials, and all results of CSCV. `trials` is the dataset's record of the runs. Undefined where
 * fewer than 5 runs moved in-sample.
 */
export function choiceReport(
  returns: readonly Float64Array[],
  inSampleDays: number,
  trials: TrialsRecord,
) {
  const sharpes = returns.map((column) => sharpeRatio(column, 0, inSampleDays));
  const pick = pickOf(sharpes);
  const moved = [...sharpes.keys()].filter((run) => !Number.isNaN(sharpes[run]));
  if (moved.length < CSCV_RUNS_MIN) return undefined;
  const picked = returns[pick]!; // at least one run moved
  const estimate = {
    sharpe: sharpes[pick]! / Math.sqrt(DAYS_PER_YEAR),
    observations: inSampleDays,
    ...shapeOfReturns(picked, 0, inSampleDays),
  };
  const annual = Math.sqrt(DAYS_PER_YEAR);
  const variance = trialsSharpeVariance(sharpes) / DAYS_PER_YEAR;
  const reckoned = ({ by, count }: { readonly by: string; readonly count: number }): Reckoning => {
    const luck = { trials: count, trialsVariance: nullTrialsVariance(inSampleDays) };
    const own = { trials: count, trialsVariance: variance };
    return {
      by,
      trials: count,
      luckBar: luckBar(luck) * annual,
      deflatedSharpe: deflatedSharpe(estimate, luck),
      luckBarOfTrials: luckBar(own) * annual,
      deflatedSharpeOfTrials: deflatedSharpe(estimate, own),
    };
  };
  const counts = [
    { by: "runs", count: returns.length },
    { by: "implied_trials", count: trials.impliedTrials },
    { by: "effective_rank", count: trials.effectiveRank },
  ];
  return {
    /** Index of the pick among the runs. */
    pick,
    inSampleSharpe: sharpes[pick]!,
    outOfSampleSharpe: sharpeRatio(picked, inSampleDays, picked.length),
    /**
     * Runs that moved in-sample; only these can be picked. All runs were tried, so all count as trials in the
     * first reckoning.
     */
    moved: moved.length,
    meanCorrelation: trials.meanCorrelation,
    /** One for each way to count the trials. Where no whole week moved there is no effective rank. */
    reckonings: counts.filter(({ count }) => !Number.isNaN(count)).map(reckoned),
    /** Over the whole run in 16 blocks, like the dataset's PBO. */
    cscv: cscv(returns, DATASET_CSCV_BLOCKS),
  };
}
