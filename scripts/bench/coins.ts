import { loadBoard } from "../../pipeline/board.ts";
import { applyPriceRules } from "../../pipeline/price-rules.ts";
import { openSource } from "../../pipeline/sources/open-source.ts";
import type { Bars } from "../../quant/bars.ts";

/** Later than any price. */
const LAST_DAY = 2 ** 20;

/** The bars of the board's coins with the longest history, as the nightly run would make them. */
export async function longestHistories(spec: string, coins: number): Promise<Bars[]> {
  const board = loadBoard();
  const source = await openSource(spec, { board, now: () => Date.now() });
  const asOf = await source.newestDay(LAST_DAY);
  const horizon = { asOf: asOf ?? LAST_DAY, today: null };
  const fetched = await Promise.all(
    board.map((coin) => source.fetch(coin, { fromDay: null, toDay: horizon.asOf })),
  );
  return fetched
    .map((coin) => applyPriceRules({ coin, horizon }).bars)
    .sort((a, b) => b.day.length - a.day.length)
    .slice(0, coins);
}
