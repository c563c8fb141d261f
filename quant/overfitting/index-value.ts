import type { Month } from "../month.ts";
import { concatenated, mean, median } from "../sample-statistics.ts";
import type { CoinMonth } from "./index-coin.ts";
import { INDEX_VERSION } from "./index-definition.ts";
import { addLayers, layerOf } from "./index-layer.ts";

export type IndexValue = ReturnType<typeof indexValue>;

/**
 * The index of one month, from 0 to 100 where 50 is a coin flip, with everything it is made of. The value is NaN
 * when no set of strategies could be ranked. Coins are added up in the given order: the same coins in the same
 * order give the same bits. `companions` say what the index does not: whether money was made.
 */
export function indexValue(month: Month, coins: readonly CoinMonth[]) {
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
    /** Strategies x coins, including flat ones. */
    runs: coins.reduce((runs, coin) => runs + coin.runs, 0),
    /** Runs left out because they did not move in-sample or out-of-sample. */
    flatRuns: coins.reduce((runs, coin) => runs + coin.runs - coin.inSample.length, 0),
    companions: companionsOf(coins),
  };
}

/** Limits the index to 0 to 100. The scores can go beyond in a market that repeats itself exactly. */
export function clipped(value: number): number {
  return Math.min(100, Math.max(0, value));
}

/** Sharpe ratios are annual. A winner is the best in-sample run of a template on a coin, among 13. */
function companionsOf(coins: readonly CoinMonth[]) {
  const winners = coins.flatMap((coin) => coin.winners);
  const defaults = coins
    .flatMap((coin) => coin.defaultsOutOfSample)
    .filter((sharpe) => !Number.isNaN(sharpe));
  return {
    /** Share of default variants with a negative Sharpe out-of-sample. */
    shareNegativeOutOfSample: mean(defaults.map((sharpe) => (sharpe < 0 ? 1 : 0))),
    /** Share of winners whose in-sample Sharpe has a DSR below 0.95 at 13 trials. */
    shareWinnersNotSignificant: mean(winners.map(({ significant }) => (significant ? 0 : 1))),
    /** Over all runs that moved in both periods. */
    medianSharpeInSample: median(concatenated(coins.map((coin) => coin.inSample))),
    medianSharpeOutOfSample: median(concatenated(coins.map((coin) => coin.outOfSample))),
    medianWinnerSharpeInSample: median(winners.map(({ inSample }) => inSample)),
    medianWinnerSharpeOutOfSample: median(winners.map(({ outOfSample }) => outOfSample)),
  };
}
