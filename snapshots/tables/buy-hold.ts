import type { BuyHoldYear } from "../../quant/outcomes/buy-hold.ts";
import { columnsOf, date, days, flag, fraction, integer, itemsOf } from "./columns.ts";
import { listed, rowsOf, text, usd } from "./columns.ts";
import type { Table, TableBlock } from "./table.ts";

const COLUMNS = columnsOf<BuyHoldYear>()({
  year: integer("calendar year of the purchase"),
  entry_date: date("day of the purchase: 1 January, or the coin's first day", "entryDay"),
  entry_price_usd: usd("close of that day"),
  held_days: days("days from entry to the coin's last day", "daysHeld"),
  value_of_1000_usd: usd("worth of 1,000 dollars put in, at the last close"),
  total_return: fraction("0.5 is +50 %"),
  calendar_return: fraction(
    "from the last close of the year before (in the first year, its first close) to the year's last close, or the coin's last",
  ),
  cagr: fraction("compound annual growth over actual days of a 365-day year; NULL for 0 days"),
  peak_date: date("day of the highest close since entry", "peakDay"),
  peak_price_usd: usd("that close"),
  peak_return: fraction("return from entry to that close"),
  max_drawdown: fraction(
    "deepest fall of a close below the highest close since entry; 0 or negative",
  ),
  drawdown_from: date("day of the high it fell from; NULL when it never fell", "drawdownFromDay"),
  drawdown_to: date("day of the low; NULL when it never fell", "drawdownToDay"),
  partial: flag("the year's first close is later than 1 January"),
});

export const BUY_HOLD: Table = {
  name: "buy_hold",
  description:
    "What became of money put into a coin at the first close of a year and held to its last day: one row for each coin and year.",
  key: ["coin", "year"],
  arrow: true,
  hasPrices: true,
  columns: listed({ coin: text("lower-case ticker"), ...COLUMNS }),
};

export function buyHoldBlock(coin: string, years: readonly BuyHoldYear[]): TableBlock {
  const { rows, columns } = rowsOf(COLUMNS, years);
  return { rows, columns: { coin, ...columns } };
}

/** The years of a block as they were computed, with NaN for a missing number and null for a missing day. */
export function buyHoldYearsOf(block: TableBlock): BuyHoldYear[] {
  return itemsOf(COLUMNS, block);
}
