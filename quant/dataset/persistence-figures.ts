import { linearFit } from "../overfitting/linear-fit.ts";
import { meanFigure, share, type Figure } from "./figure.ts";
import { countKnown, mean, median, quantile } from "../sample-statistics.ts";
import type { CellRecord, CoinRecord } from "./record.ts";
import type { RunColumns } from "./run-columns.ts";

/**
 * Whether the in-sample ranking persisted: the Sharpe of all runs (untouched by any choice), the pick's
 * out-of-sample rank, rank correlation, explained variance and the probability of overfitting.
 * `docs/dataset.md`, "The headline".
 */
export function persistenceFigures(scope: {
  readonly cells: readonly CellRecord[];
  readonly rankings: readonly Ranking[];
  readonly coins: readonly CoinRecord[];
  readonly runs: RunColumns;
  readonly picks: RunColumns;
}): Figure[] {
  const { cells, coins, runs, picks } = scope;
  const correlations = cells.map((cell) => cell.rankCorrelation);
  return [
    unchosen("all_runs_median_in_sample_sharpe", runs.inSampleSharpe),
    unchosen("all_runs_median_out_of_sample_sharpe", runs.outOfSampleSharpe),
    ...rankFigures(scope.rankings.filter(({ rank }) => !Number.isNaN(rank.pick))),
    meanFigure("mean_rank_correlation", correlations, 0),
    explained("r_squared", picks),
    explained("all_runs_r_squared", runs),
    ...pboFigures("pbo", cells),
    ...pboFigures("coin_pbo", coins),
  ];
}

/** A median over all runs. Nothing was chosen, so the coin flip, a random run, has the same value. */
function unchosen(name: string, values: Float64Array): Figure {
  const value = median(values);
  return { name, value, coinFlip: value, count: countKnown(values) };
}

export type Ranking = ReturnType<typeof rankingOf>;

/**
 * Where a cell's pick came among the runs that moved out-of-sample, NaN where it has no rank, and beside it the mean
 * over all of them, which is the coin flip.
 */
export function rankingOf({ pick, outOfSampleRanks }: CellRecord) {
  const ranks = outOfSampleRanks.filter((rank) => !Number.isNaN(rank));
  const middle = (ranks.length + 1) / 2;
  const ofPick = outOfSampleRanks[pick] ?? NaN; // no pick
  const answer = (value: (rank: number) => number) => ({
    pick: value(ofPick),
    any: mean(ranks.map(value)),
  });
  return {
    rank: answer((rank) => rank),
    belowMedian: answer((rank) => share(rank > middle, rank)),
    atMedian: answer((rank) => share(rank === middle, rank)),
  };
}

function rankFigures(ranked: readonly Ranking[]): Figure[] {
  const figure = (name: string, rank: keyof Ranking) =>
    meanFigure(
      name,
      ranked.map((ranking) => ranking[rank].pick),
      mean(ranked.map((ranking) => ranking[rank].any)),
    );
  return [
    figure("mean_out_of_sample_rank", "rank"),
    figure("share_below_median", "belowMedian"),
    figure("share_at_median", "atMedian"),
  ];
}

/**
 * R squared of a straight line from in-sample to out-of-sample Sharpe. For n independent pairs that are
 * unrelated, it averages 1 / (n - 1).
 */
function explained(name: string, runs: RunColumns): Figure {
  const { inSampleSharpe, outOfSampleSharpe } = runs;
  const isKnown = (_: number, row: number) =>
    !Number.isNaN(inSampleSharpe[row]) && !Number.isNaN(outOfSampleSharpe[row]);
  const before = inSampleSharpe.filter(isKnown);
  const count = before.length;
  const isEnough = count > 2; // two points are always on a line
  return {
    name,
    value: isEnough ? linearFit(before, outOfSampleSharpe.filter(isKnown)).rSquared : NaN,
    coinFlip: isEnough ? 1 / (count - 1) : NaN,
    count,
  };
}

/** The mean, and the range that holds nine in ten sets: their spread, not the error of the mean. A coin flip is as likely
 * to land in either half of the ranking. */
function pboFigures(name: string, sets: readonly { readonly pbo: number }[]): Figure[] {
  const known = sets.map(({ pbo }) => pbo).filter((pbo) => !Number.isNaN(pbo));
  return [
    meanFigure(`mean_${name}`, known, 0.5),
    { name: `${name}_p05`, value: quantile(known, 0.05), coinFlip: NaN, count: known.length },
    { name: `${name}_p95`, value: quantile(known, 0.95), coinFlip: NaN, count: known.length },
  ];
}
