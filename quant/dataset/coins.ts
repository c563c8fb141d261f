import { historyUpTo, type CoinHistory } from "../bars.ts";
import { WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { DATASET_COINS_MAX, DATASET_DAYS_MIN } from "./definition.ts";

/**
 * The coins of the dataset as of `day`, in board order, each history cut off there. A coin needs at least
 * 730 days after the warm-up. Of more than 40 such coins, those with the longest history are taken; on a
 * tie, the earlier on the board. A coin whose history ended before `day` takes part with what it has.
 */
export function datasetCoins(board: readonly CoinHistory[], day: number): CoinHistory[] {
  const eligible = board
    .map(({ coin, bars }) => ({ coin, bars: historyUpTo(bars, day) }))
    .filter(({ bars }) => bars.day.length >= WARM_UP_DAYS + DATASET_DAYS_MIN);
  const longest = new Set(
    // The sort is stable: coins of equal length stay in board order.
    eligible
      .toSorted((one, other) => other.bars.day.length - one.bars.day.length)
      .slice(0, DATASET_COINS_MAX),
  );
  return eligible.filter((history) => longest.has(history));
}
