import { linearFit } from "../overfitting/linear-fit.ts";
import type { Figure } from "./figure.ts";
import { meanFigure, share } from "./figure.ts";
import { countKnown, mean, median, quantile } from "../sample-statistics.ts";
import type { CellRecord, CoinRecord } from "./record.ts";
import type { RunColumns } from "./run-columns.ts";

/** PBO of a coin flip: the pick is as likely to land in either half of the ranking. */
const COIN_FLIP_PBO = 0.5;

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
  return [
    unchosen("all_runs_median_in_sample_sharpe", runs.inSampleSharpe),
    unchosen("all_runs_median_out_of_sample_sharpe", runs.outOfSampleSharpe),
    ...rankFigures(scope.rankings.filter(({ rank }) => !Number.isNaN(rank.pick))),
    meanFigure(
      "mean_rank_correlation",
      cells.map((cell) => cell.rankCorrelation),
      0,
    ),
    explained("r_squared", picks),
    explained("all_runs_r_squared", runs),
    ...pboFigures(
      "pbo",
      cells.map((cell) => cell.pbo),
    ),
    ...pboFigures(
      "coin_pbo",
      coins.map((coin) => coin.pbo),
    ),
  ];
}

/** A median over all runs. Nothing was chosen, so the coin flip, a random run, has the same value. */
function unchosen(name: string, values: Float64Array): Figure {
  const value = median(values);
  return { name, value, coinFlip: value, count: countKnown(values) };
}

/** One answer for the pick's rank, and its mean over all ranks, which is the coin flip. */
interface RankAnswer {
  readonly pick: number;
  readonly any: number;
}

/** Where a cell's pick came among the runs that moved out-of-sample; NaN where it has no rank. */
export interface Ranking {
  readonly rank: RankAnswer;
  readonly belowMedian: RankAnswer;
  readonly atMedian: RankAnswer;
}

export function rankingOf({ pick, outOfSampleRanks }: CellRecord): Ranking {
  const ranks = outOfSampleRanks.filter((rank) => !Number.isNaN(rank));
  const middle = (ranks.length + 1) / 2;
  const ofPick = outOfSampleRanks[pick] ?? NaN; // no pick
  const answer = (value: (rank: number) => number): RankAnswer => ({
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
  const figure = (name: string, answer: (ranking: Ranking) => RankAnswer) =>
    meanFigure(
      name,
      ranked.map((ranking) => answer(ranking).pick),
      mean(ranked.map((ranking) => answer(ranking).any)),
    );
  return [
    figure("mean_out_of_sample_rank", ({ rank }) => rank),
    figure("share_below_median", ({ belowMedian }) => belowMedian),
    figure("share_at_median", ({ atMedian }) => atMedian),
  ];
}

/**
 * R squared of a straight line from in-sample to out-of-sample Sharpe. For n independent pairs that are
 * unrelated, it averages 1 / (n - 1).
 */
function explained(name: string, runs: RunColumns): Figure {
  const { ones, others } = knownPairs(runs.inSampleSharpe, runs.outOfSampleSharpe);
  const count = ones.length;
  const isEnough = count > 2; // two points are always on a line
  return {
    name,
    value: isEnough ? linearFit(ones, others).rSquared : NaN,
    coinFlip: isEnough ? 1 / (count - 1) : NaN,
    count,
  };
}

/** The rows on which both columns have a number. */
function knownPairs(one: Float64Array, other: Float64Array) {
  const [ones, others] = [new Float64Array(one.length), new Float64Array(one.length)];
  let count = 0;
  for (let row = 0; row < one.length; row++) {
    if (Number.isNaN(one[row]!) || Number.isNaN(other[row]!)) continue;
    ones[count] = one[row]!;
    others[count++] = other[row]!;
  }
  return { ones: ones.subarray(0, count), others: others.subarray(0, count) };
}

/**
 * The mean, and the range that holds nine in ten sets. The range is the spread of the sets, not the error
 * of the mean.
 */
function pboFigures(name: string, values: readonly number[]): Figure[] {
  const known = values.filter((value) => !Number.isNaN(value));
  return [
    meanFigure(`mean_${name}`, known, COIN_FLIP_PBO),
    { name: `${name}_p05`, value: quantile(known, 0.05), coinFlip: NaN, count: known.length },
    { name: `${name}_p95`, value: quantile(known, 0.95), coinFlip: NaN, count: known.length },
  ];
}
