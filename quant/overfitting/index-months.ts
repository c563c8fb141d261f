import { historyUpTo, type CoinHistory } from "../bars.ts";
import { lastDayOfMonth, monthOfDay, type Month } from "../month.ts";
import { WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { INDEX_COINS_MIN, INDEX_DAYS } from "./index-definition.ts";

/** Days that a month's value needs of a coin: the warm-up and both periods. */
export const PANEL_DAYS = WARM_UP_DAYS + INDEX_DAYS;

/**
 * The coins that take part in a month, in board order, each history cut off at the month's last day. A coin
 * takes part when it has that day and, counting back from it, both periods of the index and the warm-up
 * before them. Nothing else about a coin matters, so later data neither adds nor removes one.
 */
export function indexCoins(board: readonly CoinHistory[], month: Month): CoinHistory[] {
  const lastDay = lastDayOfMonth(month);
  return board
    .filter(({ bars }) => (bars.day.at(-1) ?? -Infinity) >= lastDay)
    .map(({ coin, bars }) => ({ coin, bars: historyUpTo(bars, lastDay) }))
    .filter(({ bars }) => bars.day.length >= PANEL_DAYS);
}

/** The months up to `through` that have at least 10 coins and so a value, oldest first. */
export function indexMonths(board: readonly CoinHistory[], through: Month): Month[] {
  const firstDays = board.flatMap(({ bars }) => bars.day[0] ?? []);
  if (firstDays.length === 0) return [];
  const first = monthOfDay(Math.min(...firstDays) + PANEL_DAYS - 1);
  return Array.from(
    { length: Math.max(0, through - first + 1) },
    (_, index) => first + index,
  ).filter((month) => indexCoins(board, month).length >= INDEX_COINS_MIN);
}
