import { historyUpTo } from "../dataset/coins.ts";
import type { CoinHistory } from "../dataset/coins.ts";
import type { Month } from "../dataset/month.ts";
import { lastDayOfMonth, monthOfDay } from "../dataset/month.ts";
import { WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { INDEX_COINS_MIN, INDEX_DAYS } from "./index-definition.ts";

/**
 * The coins of a month in board order, each history cut at the month's last day: those that have that
 * day and, up to it, both periods of the index behind the warm-up. Nothing else about a coin counts,
 * so what came later neither adds nor removes one.
 */
export function indexCoins(board: readonly CoinHistory[], month: Month): CoinHistory[] {
  const lastDay = lastDayOfMonth(month);
  return board
    .filter(({ bars }) => (bars.day.at(-1) ?? -Infinity) >= lastDay)
    .map(({ coin, bars }) => ({ coin, bars: historyUpTo(bars, lastDay) }))
    .filter(({ bars }) => bars.day.length >= WARM_UP_DAYS + INDEX_DAYS);
}

/** The months up to `through` that have a value, oldest first: those with at least 10 coins. */
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
