import type { Bars } from "../bars.ts";
import { rowOfDay } from "../bars.ts";
import { DAY_SECONDS, dayOf, instantText } from "./ordered-rows.ts";
import type { Observations } from "./panel.ts";
import { PanelRefused } from "./panel.ts";
import { spanOf, type Trade, type TradeList, type TradePosition } from "./trade.ts";

/** A price that lies beyond the day's range by more than this share is of another market. */
const PRICE_TOLERANCE = 0.02;

/**
 * Daily equity of a list of trades with open positions valued at our closes: the capital, the profit closed so far,
 * and `size x (close - entry price)` of what is open at the close; or the reason for having none. The profit of a trade,
 * which is after fees, replaces its value on the day of exit. Every trade must be long, of a coin whose days are
 * covered, at a price within the day's range. `barsOf` gives the bars of a symbol, or those of the coin that was named
 * where there is no symbol.
 */
export function markedRows(
  list: TradeList,
  barsOf: (symbol: string | undefined) => Bars | undefined,
):
  | { readonly rows: Observations; readonly reason: undefined }
  | { readonly rows: undefined; readonly reason: string } {
  const { first, last, variants } = spanOf(list);
  if ((list.flows ?? []).length > 0)
    return { rows: undefined, reason: "money was paid in or taken out between the trades" };
  const days = last - first + 2; // the day before the first is the capital
  const places = new Map(variants.map((name, index) => [name, index]));
  const values = variants.map(() => new Float64Array(days).fill(list.capital));
  for (const trade of list.trades) {
    const open = openPosition(trade, barsOf);
    if (typeof open === "string") return { rows: undefined, reason: open };
    const column = values[places.get(trade.variant)!]!; // variants hold every trade's
    addTrade(column, trade, { ...open, base: first - 1 });
  }
  values.forEach((column, index) =>
    checkAlive(column, { name: variants[index]!, base: first - 1 }),
  );
  const rows: Observations = {
    kind: "equity",
    instants: Float64Array.from({ length: days }, (_, day) => (first - 1 + day) * DAY_SECONDS),
    lines: new Int32Array(days),
    names: variants,
    columns: values,
  };
  return { rows, reason: undefined };
}

interface OpenPosition {
  readonly position: TradePosition;
  readonly bars: Bars;
}

/** The position and its prices, or why it can't be valued. */
function openPosition(
  { entry, exit, position, unmarked }: Trade,
  barsOf: (symbol: string | undefined) => Bars | undefined,
): OpenPosition | string {
  if (position === undefined) return unmarked ?? "some trades lack their size or price";
  if (!position.long) return "some trades are short";
  const bars = barsOf(position.symbol);
  if (bars === undefined) return `there are no prices of ${position.symbol ?? "the coin"}`;
  const [from, to] = [rowOfDay(bars, dayOf(entry)), rowOfDay(bars, dayOf(exit))];
  if (from < 0 || to < 0) return "the prices don't cover all days of the trades";
  const known = [from, from - 1, from + 1].some((row) => {
    const price = position.entryPrice;
    return (
      price >= (bars.low[row] ?? Infinity) * (1 - PRICE_TOLERANCE) &&
      price <= (bars.high[row] ?? -Infinity) * (1 + PRICE_TOLERANCE)
    );
  });
  if (known) return { position, bars };
  return `an entry at ${position.entryPrice} on ${instantText(entry)} is not a price of that day`;
}

function addTrade(
  column: Float64Array,
  { entry, exit, profit }: Trade,
  { position, bars, base }: OpenPosition & { readonly base: number },
): void {
  const exitAt = dayOf(exit) - base;
  for (let day = Math.max(0, dayOf(entry) - base); day < Math.min(exitAt, column.length); day++) {
    const close = bars.close[rowOfDay(bars, base + day)]!;
    column[day]! += position.size * (close - position.entryPrice);
  }
  for (let day = Math.max(0, exitAt); day < column.length; day++) column[day]! += profit;
}

function checkAlive(column: Float64Array, { name, base }: { name: string; base: number }): void {
  const lost = column.findIndex((value) => !(value > 0));
  if (lost < 0) return;
  throw new PanelRefused(
    `marked to market, the account of "${name}" is lost on ${instantText((base + lost) * DAY_SECONDS)}: give the ` +
      "capital that the backtest began with",
  );
}
