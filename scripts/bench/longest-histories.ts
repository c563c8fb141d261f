import { loadBoard } from "../../pipeline/board.ts";
import { applyPriceRules } from "../../pipeline/price-rules.ts";
import { dayOfInstant } from "../../pipeline/sources/as-of.ts";
import { openSource } from "../../pipeline/sources/open-source.ts";
import type { Bars } from "../../quant/bars.ts";

/**
 * The bars of the board's coins with the longest history, as the nightly run would make them: up to yesterday.
 * (The demo market has every requested day.)
 */
export async function longestHistories(
  spec: string,
  coins: number,
  nowMs = Date.now(),
): Promise<Bars[]> {
  const board = loadBoard();
  const source = await openSource(spec, { board, now: () => nowMs });
  const yesterday = dayOfInstant(nowMs) - 1;
  const asOf = (await source.newestDay(yesterday)) ?? yesterday;
  const horizon = { asOf, today: null };
  const fetched = await Promise.all(
    board.map((coin) => source.fetch(coin, { fromDay: null, toDay: horizon.asOf })),
  );
  return fetched
    .map((coin) => applyPriceRules({ coin, horizon }).bars)
    .sort((a, b) => b.day.length - a.day.length)
    .slice(0, coins);
}
