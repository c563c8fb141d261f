import type { BuyHoldYear } from "../../quant/outcomes/buy-hold.ts";
import type { Table, TableBlock } from "./table.ts";
import { valueAt } from "./table.ts";

export const BUY_HOLD: Table = {
  name: "buy_hold",
  description:
    "What became of money put into a coin at the first close of a year and held to its last day: one row for each coin and year.",
  key: ["coin", "year"],
  arrow: true,
  columns: [
    { name: "coin", type: "text", unit: "", description: "lower-case ticker" },
    { name: "year", type: "integer", unit: "", description: "calendar year of the purchase" },
    {
      name: "entry_date",
      type: "date",
      unit: "",
      description: "day of the purchase: 1 January, or the coin's first day",
    },
    { name: "entry_price_usd", type: "double", unit: "usd", description: "close of that day" },
    {
      name: "held_days",
      type: "integer",
      unit: "days",
      description: "days from entry to the coin's last day",
    },
    {
      name: "value_of_1000_usd",
      type: "double",
      unit: "usd",
      description: "worth of 1,000 dollars put in, at the last close",
    },
    { name: "total_return", type: "double", unit: "fraction", description: "0.5 is +50 %" },
    {
      name: "cagr",
      type: "double",
      unit: "fraction",
      description: "compound annual growth over actual days of a 365-day year; NULL for 0 days",
    },
    {
      name: "peak_date",
      type: "date",
      unit: "",
      description: "day of the highest close since entry",
    },
    { name: "peak_price_usd", type: "double", unit: "usd", description: "that close" },
    {
      name: "peak_return",
      type: "double",
      unit: "fraction",
      description: "return from entry to that close",
    },
    {
      name: "max_drawdown",
      type: "double",
      unit: "fraction",
      description: "deepest fall of a close below the highest close since entry; 0 or negative",
    },
    {
      name: "drawdown_from",
      type: "date",
      unit: "",
      description: "day of the high it fell from; NULL when it never fell",
    },
    {
      name: "drawdown_to",
      type: "date",
      unit: "",
      description: "day of the low; NULL when it never fell",
    },
    {
      name: "partial",
      type: "boolean",
      unit: "",
      description: "the year's first close is later than 1 January",
    },
  ],
};

const FIELD_OF = {
  year: "year",
  entry_date: "entryDay",
  entry_price_usd: "entryPriceUsd",
  held_days: "daysHeld",
  value_of_1000_usd: "valueOf1000Usd",
  total_return: "totalReturn",
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
