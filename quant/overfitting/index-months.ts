import { historyUpTo } from "../bars.ts";
import type { CoinHistory } from "../bars.ts";
import type { Month } from "../month.ts";
import { lastDayOfMonth, monthOfDay } from "../month.ts";
import { WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { INDEX_COINS_MIN, INDEX_DAYS } from "./index-definition.ts";

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
    .filter(({ bars }) => bars.day.length >= WARM_UP_DAYS + INDEX_DAYS);
}

/** The months up to `through` that have at least 10 coins and so a value, oldest first. */
export function indexMonths(board: readonly CoinHistory[], through: Month): Month[] {
  const firstDay = board.reduce(
    (first, { bars }) => Math.min(first, bars.day[0] ?? first),
    Infinity,
  );
  const months: Month[] = [];
  if (firstDay === Infinity) return months;
  for (
    let month = monthOfDay(firstDay + WARM_UP_DAYS + INDEX_DAYS - 1);
    month <= through;
    month++
  ) {
    if (indexCoins(board, month).length >= INDEX_COINS_MIN) months.push(month);
  }
  return months;
}
