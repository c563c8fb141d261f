import type { Month } from "../month.ts";
import { concatenated, mean, median } from "../sample-statistics.ts";
import type { CoinMonth } from "./index-coin.ts";
import { INDEX_VERSION } from "./index-definition.ts";
import type { Layer } from "./index-layer.ts";
import { addLayers, layerOf } from "./index-layer.ts";

/** The index of one month, with everything it is made of. Sharpe ratios are annual. */
export interface IndexValue {
  readonly month: Month;
  readonly version: number;
  /** 0 to 100; 50 is a coin flip. NaN when no set of strategies could be ranked. */
  readonly value: number;
  readonly tuning: Layer;
  readonly shopping: Layer;
  readonly coins: number;
  /** Strategies x coins, including flat ones. */
  readonly runs: number;
  /** Runs left out because they did not move in-sample or out-of-sample. */
  readonly flatRuns: number;
  readonly companions: IndexCompanions;
}

/** What the index itself does not say: whether money was made. */
interface IndexCompanions {
  /** Share of default variants with a negative Sharpe out-of-sample. */
  readonly shareNegativeOutOfSample: number;
  /** Share of winners among 13 whose in-sample Sharpe has a DSR below 0.95 at 13 trials. */
  readonly shareWinnersNotSignificant: number;
  /** Over all runs that moved in both periods. */
  readonly medianSharpeInSample: number;
  readonly medianSharpeOutOfSample: number;
  /** Over the in-sample winner of each 13. */
  readonly medianWinnerSharpeInSample: number;
  readonly medianWinnerSharpeOutOfSample: number;
}

/** Adds up the coins of a month in the given order; the same coins in the same order give the same bits. */
export function indexValue(month: Month, coins: readonly CoinMonth[]): IndexValue {
  const tuning = layerOf(addLayers(coins.map((coin) => coin.tuning)));
  const shopping = layerOf(addLayers(coins.map((coin) => coin.shopping)));
  const value = (tuning.score + shopping.score) / 2;
  return {
    month,
    version: INDEX_VERSION,
    value: Number.isFinite(value) ? clipped(value) : NaN,
    tuning,
    shopping,
    coins: coins.length,
    runs: coins.reduce((runs, coin) => runs + coin.runs, 0),
    flatRuns: coins.reduce((runs, coin) => runs + coin.runs - coin.inSample.length, 0),
    companions: companionsOf(coins),
  };
}

/** Limits the index to 0 to 100. The scores can go beyond in a market that repeats itself exactly. */
export function clipped(value: number): number {
  return Math.min(100, Math.max(0, value));
}

function companionsOf(coins: readonly CoinMonth[]): IndexCompanions {
  const winners = coins.flatMap((coin) => coin.winners);
  const defaults = coins
    .flatMap((coin) => coin.defaultsOutOfSample)
    .filter((sharpe) => !Number.isNaN(sharpe));
  return {
    shareNegativeOutOfSample: mean(defaults.map((sharpe) => (sharpe < 0 ? 1 : 0))),
    shareWinnersNotSignificant: mean(winners.map(({ significant }) => (significant ? 0 : 1))),
    medianSharpeInSample: median(concatenated(coins.map((coin) => coin.inSample))),
    medianSharpeOutOfSample: median(concatenated(coins.map((coin) => coin.outOfSample))),
    medianWinnerSharpeInSample: median(winners.map(({ inSample }) => inSample)),
    medianWinnerSharpeOutOfSample: median(winners.map(({ outOfSample }) => outOfSample)),
  };
}
