import { expectedMaximum } from "../overfitting/deflated-sharpe.ts";
import { benjaminiYekutieli } from "../overfitting/multiple-testing.ts";
import { logNormalCdf } from "../overfitting/normal-cdf.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { RUNS_PER_COIN } from "./definition.ts";
import { meanFigure, type Figure } from "./figure.ts";
import { SURVIVAL, type PickRecord, type TrialScope } from "./pick.ts";
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
  const significant = picks.filter((pick) => pick.outOfSamplePsr >= SURVIVAL).length;
  const count = picks.length;
  return [
    ...survivorFigures(picks, chances),
    { name: "out_of_sample_psr_95", value: significant, coinFlip: count * (1 - SURVIVAL), count },
    { name: "benjamini_yekutieli_survivors", value: discoveries(picks), coinFlip: 0, count },
    ...trialsFigures("", scope.cells),
    ...trialsFigures("coin_", scope.coins),
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
  const figures = (name: string, deflations: "deflated" | "deflatedByVariance") =>
    scopes.map(([suffix, scope]) => ({
      name: `${name}_${suffix}`,
      value: picks.filter((pick) => pick[deflations][scope] >= SURVIVAL).length,
      coinFlip: picks.length * chances[scope],
      count: picks.length,
    }));
  return [
    ...figures("survivors", "deflated"),
    ...figures("survivors_trials_variance", "deflatedByVariance"),
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

/** Picks whose out-of-sample Sharpe is above 0 at a false discovery rate of 5 %, whatever the dependence among them. */
function discoveries(picks: readonly PickRecord[]): number {
  const pValues = picks.map((pick) => 1 - pick.outOfSamplePsr).filter((p) => !Number.isNaN(p));
  return benjaminiYekutieli(pValues).filter((p) => p <= DISCOVERY_RATE).length;
}

function trialsFigures(
  prefix: string,
  sets: readonly { readonly trials: TrialsRecord }[],
): Figure[] {
  const members = {
    trials: "trials",
    mean_correlation: "meanCorrelation",
    implied_trials: "impliedTrials",
    effective_rank: "effectiveRank",
  } as const;
  return Object.entries(members).map(([name, member]) => {
    const values = sets.map(({ trials }) => trials[member]);
    return meanFigure(`${prefix}${name}`, values, NaN);
  });
}

function runFigures(runs: RunColumns): Figure[] {
  const facts = {
    flat_runs: flatRuns(runs.wholeSharpe),
    flat_in_sample_runs: flatRuns(runs.inSampleSharpe),
    flat_out_of_sample_runs: flatRuns(runs.outOfSampleSharpe),
    median_trades: median(runs.trades),
    median_exposure_pct: median(runs.exposurePct),
    median_fees_pct: median(runs.feesPct),
    median_in_sample_days: median(runs.inSampleDays),
    median_out_of_sample_days: median(runs.outOfSampleDays),
  };
  const count = runs.wholeSharpe.length;
  return Object.entries(facts).map(([name, value]) => ({ name, value, coinFlip: NaN, count }));
}

/** Runs without a Sharpe ratio: nothing moved. */
function flatRuns(sharpes: Float64Array): number {
  return sharpes.length - countKnown(sharpes);
}
