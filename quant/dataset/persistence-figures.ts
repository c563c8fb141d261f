import type { Figure } from "./figure.ts";
import { meanFigure, share } from "./figure.ts";
import { mean, median, quantile } from "./quantile.ts";
import type { CellRecord, CoinRecord } from "./record.ts";

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
  const runs = cells.flatMap((cell) => cell.runs.map(sharpes));
  const picks = cells.flatMap((cell) => cell.runs.slice(cell.pick, cell.pick + 1)).map(sharpes);
  return [
    unchosen(
      "all_runs_median_in_sample_sharpe",
      runs.map(([inSample]) => inSample),
    ),
    unchosen(
      "all_runs_median_out_of_sample_sharpe",
      runs.map(([, outOfSample]) => outOfSample),
    ),
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

type Sharpes = readonly [inSample: number, outOfSample: number];

function sharpes({ segments }: CellRecord["runs"][number]): Sharpes {
  return [segments.inSample.sharpe, segments.outOfSample.sharpe];
}

/** A median of all runs: nothing was chosen, so a run drawn at random shows the same. */
function unchosen(name: string, values: readonly number[]): Figure {
  const known = values.filter((value) => !Number.isNaN(value));
  return { name, value: median(known), coinFlip: median(known), count: known.length };
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
function explained(name: string, pairs: readonly Sharpes[]): Figure {
  const known = pairs.filter(([one, other]) => !Number.isNaN(one) && !Number.isNaN(other));
  const centre = [0, 1].map((side) => mean(known.map((pair) => pair[side]!))); // a pair has both
  let [squareIn, squareOut, product] = [0, 0, 0];
  for (const [one, other] of known) {
    const [distanceIn, distanceOut] = [one - centre[0]!, other - centre[1]!];
    squareIn += distanceIn ** 2;
    squareOut += distanceOut ** 2;
    product += distanceIn * distanceOut;
  }
  const spread = squareIn * squareOut;
  return {
    name,
    value: known.length > 2 && spread > 0 ? product ** 2 / spread : NaN,
    coinFlip: known.length > 2 ? 1 / (known.length - 1) : NaN,
    count: known.length,
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
