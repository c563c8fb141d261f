import type { Figure } from "./figure.ts";
import { meanFigure, share } from "./figure.ts";
import { columnOf, mean, median, quantile } from "./quantile.ts";
import type { CellRecord, CoinRecord, RunRecord } from "./record.ts";

/** What a coin flip does to PBO: the pick lands in either half of the ranking as often. */
const COIN_FLIP_PBO = 0.5;

/**
 * Whether the in-sample ranking persisted: the Sharpe of all runs, which no choice has touched,
 * the out-of-sample rank of the pick, rank correlation, explained variance and the probability of
 * overfitting. `overfitting.md`, section 7, figures 2 to 4.
 */
export function persistenceFigures(
  cells: readonly CellRecord[],
  coins: readonly CoinRecord[],
): Figure[] {
  const runs = sharpesOf(cells.flatMap((cell) => cell.runs));
  const picks = sharpesOf(cells.flatMap((cell) => cell.runs.slice(cell.pick, cell.pick + 1)));
  return [
    unchosen("all_runs_median_in_sample_sharpe", runs.inSample),
    unchosen("all_runs_median_out_of_sample_sharpe", runs.outOfSample),
    ...rankFigures(cells),
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

interface Sharpes {
  readonly inSample: Float64Array;
  readonly outOfSample: Float64Array;
}

function sharpesOf(runs: readonly RunRecord[]): Sharpes {
  return {
    inSample: columnOf(runs, ({ segments }) => segments.inSample.sharpe),
    outOfSample: columnOf(runs, ({ segments }) => segments.outOfSample.sharpe),
  };
}

/** A median of all runs: nothing was chosen, so a run drawn at random shows the same. */
function unchosen(name: string, values: Float64Array): Figure {
  const count = values.reduce((known, value) => (Number.isNaN(value) ? known : known + 1), 0);
  const value = median(values);
  return { name, value, coinFlip: value, count };
}

/** Rank of the pick among the runs of its cell that moved out-of-sample; the coin flip is any of them. */
function rankFigures(cells: readonly CellRecord[]): Figure[] {
  const ranked = cells
    .filter((cell) => cell.pick >= 0 && !Number.isNaN(cell.outOfSampleRanks[cell.pick]))
    .map((cell) => {
      const ranks = cell.outOfSampleRanks.filter((rank) => !Number.isNaN(rank));
      return { pick: cell.outOfSampleRanks[cell.pick]!, ranks, middle: (ranks.length + 1) / 2 };
    });
  const figure = (name: string, value: (rank: number, middle: number) => number) =>
    meanFigure(
      name,
      ranked.map(({ pick, middle }) => value(pick, middle)),
      mean(ranked.map(({ ranks, middle }) => mean(ranks.map((rank) => value(rank, middle))))),
    );
  return [
    figure("mean_out_of_sample_rank", (rank) => rank),
    figure("share_below_median", (rank, middle) => share(rank > middle)),
    figure("share_at_median", (rank, middle) => share(rank === middle)),
  ];
}

/**
 * R squared of a straight line from in-sample to out-of-sample Sharpe. Of n independent pairs
 * without any relation it averages 1 / (n - 1).
 */
function explained(name: string, { inSample, outOfSample }: Sharpes): Figure {
  const isKnown = (_: number, run: number) =>
    !Number.isNaN(inSample[run]!) && !Number.isNaN(outOfSample[run]!);
  const [ones, others] = [inSample.filter(isKnown), outOfSample.filter(isKnown)];
  const count = ones.length;
  const centre = { in: mean(ones), out: mean(others) };
  let [squareIn, squareOut, product] = [0, 0, 0];
  for (let pair = 0; pair < count; pair++) {
    const [distanceIn, distanceOut] = [ones[pair]! - centre.in, others[pair]! - centre.out];
    squareIn += distanceIn ** 2;
    squareOut += distanceOut ** 2;
    product += distanceIn * distanceOut;
  }
  const spread = squareIn * squareOut;
  return {
    name,
    value: count > 2 && spread > 0 ? product ** 2 / spread : NaN,
    coinFlip: count > 2 ? 1 / (count - 1) : NaN,
    count,
  };
}

/** Mean, and the range that holds nine of ten: a spread between sets, not an error of the mean. */
function pboFigures(name: string, values: readonly number[]): Figure[] {
  const known = values.filter((value) => !Number.isNaN(value));
  return [
    meanFigure(`mean_${name}`, known, COIN_FLIP_PBO),
    { name: `${name}_p05`, value: quantile(known, 0.05), coinFlip: NaN, count: known.length },
    { name: `${name}_p95`, value: quantile(known, 0.95), coinFlip: NaN, count: known.length },
  ];
}
