import { DAYS_PER_YEAR } from "../calendar.ts";
import { deflatedSharpe, nullTrialsVariance } from "../overfitting/deflated-sharpe.ts";
import { probabilisticSharpe, type SharpeEstimate } from "../overfitting/probabilistic-sharpe.ts";
import { trialsSharpeVariance } from "../overfitting/trials-variance.ts";
import { countKnown, mean } from "../sample-statistics.ts";
import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { haircutPct } from "./choice-figures.ts";
import { RUNS_PER_COIN } from "./definition.ts";
import type { CellRecord, CoinRecord, RunRecord } from "./record.ts";
import type { SegmentRecord } from "./segment.ts";

/** The runs that the pick is the best of: its 13 variants, all runs of the coin, or the whole dataset. */
export type TrialScope = "cell" | "coin" | "dataset";

/** A pick survives deflation when its DSR against all runs of its coin is at least this. */
export const SURVIVAL = 0.95;

/** The run with the best in-sample Sharpe of a template on a coin, and how it did afterwards. */
export type PickRecord = Readonly<ReturnType<typeof pickOf>>;

/** The picks of all coins, coin by coin in the given order, templates in catalogue order. */
export function picksOf(coins: readonly CoinRecord[]): PickRecord[] {
  const all = { runs: coins.length * RUNS_PER_COIN, variance: varianceOf(coins.flatMap(runsOf)) };
  return coins.flatMap((coin) => {
    const ofCoin = { runs: RUNS_PER_COIN, variance: varianceOf(runsOf(coin)) };
    return coin.cells.flatMap((cell) => {
      const run = cell.runs[cell.pick];
      if (run === undefined) return [];
      const ofCell = { runs: VARIANTS_PER_TEMPLATE, variance: varianceOf(cell.runs) };
      return [pickOf({ coin, cell, run }, { cell: ofCell, coin: ofCoin, dataset: all })];
    });
  });
}

/** `trials` has, by scope, the number of runs tried and the variance of their in-sample daily Sharpe ratios. */
function pickOf(
  input: { readonly coin: CoinRecord; readonly cell: CellRecord; readonly run: RunRecord },
  trials: Readonly<Record<TrialScope, { readonly runs: number; readonly variance: number }>>,
) {
  const { cell, run } = input;
  const { inSample, outOfSample } = run.segments;
  const estimate = estimateOf(inSample);
  const luck = nullTrialsVariance(inSample.days);
  const deflate = (variance: (scope: TrialScope) => number) => {
    const trialsIn = (scope: TrialScope) =>
      deflatedSharpe(estimate, { trials: trials[scope].runs, trialsVariance: variance(scope) });
    return { cell: trialsIn("cell"), coin: trialsIn("coin"), dataset: trialsIn("dataset") };
  };
  const deflated = deflate(() => luck);
  return {
    ...input,
    /** Percent of the in-sample Sharpe lost out-of-sample; NaN when there was nothing to lose. */
    haircutPct: haircutPct(inSample.sharpe, outOfSample.sharpe),
    variantsMean: variantsMeanOf(cell),
    /** 1 is best; NaN when the pick did not move out-of-sample. */
    outOfSampleRank: cell.outOfSampleRanks[cell.pick]!, // one per run
    /** Runs of the cell that moved out-of-sample, including the pick. */
    rankedRuns: countKnown(cell.outOfSampleRanks),
    /** Deflated Sharpe ratio of the in-sample days with V = 1/(T - 1), as POST /overfitting answers it. */
    deflated,
    /** The same with V as the sample variance (n - 1) of the in-sample Sharpe ratios of the runs in scope. */
    deflatedByVariance: deflate((scope) => trials[scope].variance),
    survives: deflated.coin >= SURVIVAL,
    /** PSR of the out-of-sample days alone: 1 less the p-value of no edge. */
    outOfSamplePsr: probabilisticSharpe(estimateOf(outOfSample), 0),
  };
}

/** Mean Sharpe of the runs that could have been picked; out-of-sample only of those that moved there, too. */
function variantsMeanOf({ runs }: CellRecord) {
  const eligible = runs
    .map(({ segments }) => segments)
    .filter(({ inSample }) => !Number.isNaN(inSample.sharpe));
  return {
    inSample: mean(eligible.map(({ inSample }) => inSample.sharpe)),
    outOfSample: mean(eligible.map(({ outOfSample }) => outOfSample.sharpe)),
  };
}

/** The Sharpe ratio of a segment, a day, with what its error depends on. */
function estimateOf({ sharpe, days, skew, kurtosis }: SegmentRecord): SharpeEstimate {
  return { sharpe: perDay(sharpe), observations: days, skew, kurtosis };
}

function perDay(annual: number): number {
  return annual / Math.sqrt(DAYS_PER_YEAR);
}

function runsOf(coin: CoinRecord): RunRecord[] {
  return coin.cells.flatMap((cell) => cell.runs);
}

function varianceOf(runs: readonly RunRecord[]): number {
  return trialsSharpeVariance(runs.map((run) => perDay(run.segments.inSample.sharpe)));
}
