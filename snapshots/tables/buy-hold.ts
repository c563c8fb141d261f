import type { BuyHoldYear } from "../../quant/outcomes/buy-hold.ts";
import type { Table, TableBlock } from "./table.ts";
import { column, valueAt } from "./table.ts";

export const BUY_HOLD: Table = {
  name: "buy_hold",
  description:
    "What became of money put into a coin at the first close of a year and held to its last day: one row for each coin and year.",
  key: ["coin", "year"],
  arrow: true,
  columns: [
    column(["coin", "text"], "lower-case ticker"),
    column(["year", "integer"], "calendar year of the purchase"),
    column(["entry_date", "date"], "day of the purchase: 1 January, or the coin's first day"),
    column(["entry_price_usd", "double", "usd"], "close of that day"),
    column(["held_days", "integer", "days"], "days from entry to the coin's last day"),
    column(
      ["value_of_1000_usd", "double", "usd"],
      "worth of 1,000 dollars put in, at the last close",
    ),
    column(["total_return", "double", "fraction"], "0.5 is +50 %"),
    column(
      ["calendar_return", "double", "fraction"],
      "from the last close of the year before (in the first year, its first close) to the year's last close, or the coin's last",
    ),
    column(
      ["cagr", "double", "fraction"],
      "compound annual growth over actual days of a 365-day year; NULL for 0 days",
    ),
    column(["peak_date", "date"], "day of the highest close since entry"),
    column(["peak_price_usd", "double", "usd"], "that close"),
    column(["peak_return", "double", "fraction"], "return from entry to that close"),
    column(
      ["max_drawdown", "double", "fraction"],
      "deepest fall of a close below the highest close since entry; 0 or negative",
    ),
    column(["drawdown_from", "date"], "day of the high it fell from; NULL when it never fell"),
    column(["drawdown_to", "date"], "day of the low; NULL when it never fell"),
    column(["partial", "boolean"], "the year's first close is later than 1 January"),
  ],
};

const FIELD_OF = {
  year: "year",
  entry_date: "entryDay",
  entry_price_usd: "entryPriceUsd",
  held_days: "daysHeld",
  value_of_1000_usd: "valueOf1000Usd",
  total_return: "totalReturn",
  calendar_return: "calendarReturn",
  cagr: "cagr",
  peak_date: "peakDay",
  peak_price_usd: "peakPriceUsd",
  peak_return: "peakReturn",
  max_drawdown: "maxDrawdown",
  drawdown_from: "drawdownFromDay",
  drawdown_to: "drawdownToDay",
  partial: "partial",
} as const satisfies Readonly<Record<string, keyof BuyHoldYear>>;

export function buyHoldBlock(coin: string, years: readonly BuyHoldYear[]): TableBlock {
  const columns: Record<string, (number | boolean | null)[]> = {};
  for (const [column, field] of Object.entries(FIELD_OF)) {
    columns[column] = years.map((year) => year[field]);
  }
  return { rows: years.length, columns: { coin, ...columns } };
}

/** The years of a block as they were computed, with NaN for a missing number and null for a missing day. */
export function buyHoldYearsOf(block: TableBlock): BuyHoldYear[] {
  return Array.from({ length: block.rows }, (_, row) => {
    const year: Record<string, unknown> = {};
    for (const [column, field] of Object.entries(FIELD_OF))
      year[field] = valueAt(block, column, row);
    return { ...year, cagr: year["cagr"] ?? NaN } as BuyHoldYear;
  });
}
