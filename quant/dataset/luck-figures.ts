import { expectedMaximum } from "../overfitting/deflated-sharpe.ts";
import { benjaminiYekutieli } from "../overfitting/multiple-testing.ts";
import { logNormalCdf } from "../overfitting/normal-cdf.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { RUNS_PER_COIN } from "./definition.ts";
import type { Figure } from "./figure.ts";
import { countFigure, meanFigure } from "./figure.ts";
import { SURVIVAL } from "./pick.ts";
import type { PickRecord, TrialScope } from "./pick.ts";
import { countKnown, median } from "../sample-statistics.ts";
import type { CellRecord, CoinRecord, TrialsRecord } from "./record.ts";
import type { RunColumns } from "./run-columns.ts";

/** Accepted false discovery rate among the picks that are called significant out-of-sample. */
const DISCOVERY_RATE = 0.05;

/**
 * How many picks survive deflation, how many independent trials the runs amount to, and plain facts about
 * the runs. Counts are additive: those of the templates sum to that of the whole. `docs/dataset.md`, "The
 * headline".
 */
export function luckFigures(
  scope: {
    readonly cells: readonly CellRecord[];
    readonly coins: readonly CoinRecord[];
    readonly runs: RunColumns;
  },
  picks: readonly PickRecord[],
  chances: Readonly<Record<TrialScope, number>>,
): Figure[] {
  return [
    ...survivorFigures(picks, chances),
    countFigure(
      "out_of_sample_psr_95",
      picks.filter((pick) => pick.outOfSamplePsr >= SURVIVAL).length,
      picks.length * (1 - SURVIVAL),
      picks.length,
    ),
    countFigure("benjamini_yekutieli_survivors", discoveries(picks), 0, picks.length),
    ...trialsFigures(
      "",
      scope.cells.map((cell) => cell.trials),
    ),
    ...trialsFigures(
      "coin_",
      scope.coins.map((coin) => coin.trials),
    ),
    ...runFigures(scope.runs),
  ];
}

/** Chances that a pick without skill survives deflation, by the trials it is deflated for. */
export function luckyChances(datasetRuns: number): Readonly<Record<TrialScope, number>> {
  return {
    cell: luckySurvival(VARIANTS_PER_TEMPLATE),
    coin: luckySurvival(RUNS_PER_COIN),
    dataset: luckySurvival(datasetRuns),
  };
}

function survivorFigures(
  picks: readonly PickRecord[],
  chances: Readonly<Record<TrialScope, number>>,
): Figure[] {
  const scopes = [
    ["n_13", "cell"],
    ["n_286", "coin"],
    ["n_11440", "dataset"],
  ] as const;
  const figures = (
    name: string,
    deflated: (pick: PickRecord) => Readonly<Record<TrialScope, number>>,
  ) =>
    scopes.map(([suffix, scope]) =>
      countFigure(
        `${name}_${suffix}`,
        picks.filter((pick) => deflated(pick)[scope] >= SURVIVAL).length,
        picks.length * chances[scope],
        picks.length,
      ),
    );
  return [
    ...figures("survivors", (pick) => pick.deflated),
    ...figures("survivors_trials_variance", (pick) => pick.deflatedByVariance),
  ];
}

/**
 * Chance that the best of 13 independent normal trials without skill reaches a DSR of 0.95 at `trials`: 1 -
 * Phi(E[max] + z)^13. Variants are not independent, so the true chance is lower still.
 */
function luckySurvival(trials: number): number {
  if (trials < 1) return NaN;
  const bar = expectedMaximum(trials) + normalQuantile(SURVIVAL);
  return -Math.expm1(VARIANTS_PER_TEMPLATE * logNormalCdf(bar));
}

/**
 * Picks whose out-of-sample Sharpe is above 0 at a false discovery rate of 5 %, under any dependence among
 * them.
 */
function discoveries(picks: readonly PickRecord[]): number {
  const pValues = picks.map((pick) => 1 - pick.outOfSamplePsr).filter((p) => !Number.isNaN(p));
  return benjaminiYekutieli(pValues).filter((p) => p <= DISCOVERY_RATE).length;
}

function trialsFigures(prefix: string, trials: readonly TrialsRecord[]): Figure[] {
  const figure = (name: string, value: (record: TrialsRecord) => number) =>
    meanFigure(`${prefix}${name}`, trials.map(value), NaN);
  return [
    figure("trials", (record) => record.trials),
    figure("mean_correlation", (record) => record.meanCorrelation),
    figure("implied_trials", (record) => record.impliedTrials),
    figure("effective_rank", (record) => record.effectiveRank),
  ];
}

function runFigures(runs: RunColumns): Figure[] {
  const facts = (name: string, value: number) =>
    countFigure(name, value, NaN, runs.wholeSharpe.length);
  return [
    facts("flat_runs", flatRuns(runs.wholeSharpe)),
    facts("flat_in_sample_runs", flatRuns(runs.inSampleSharpe)),
    facts("flat_out_of_sample_runs", flatRuns(runs.outOfSampleSharpe)),
    facts("median_trades", median(runs.trades)),
    facts("median_exposure_pct", median(runs.exposurePct)),
    facts("median_fees_pct", median(runs.feesPct)),
    facts("median_in_sample_days", median(runs.inSampleDays)),
    facts("median_out_of_sample_days", median(runs.outOfSampleDays)),
  ];
}

/** Runs without a Sharpe ratio: nothing moved. */
function flatRuns(sharpes: Float64Array): number {
  return sharpes.length - countKnown(sharpes);
}
