import type { BuyHoldYear } from "../../quant/outcomes/buy-hold.ts";
import type { Table, TableBlock, TableColumn } from "./table.ts";
import { column, valueAt } from "./table.ts";

/** The column of each field. */
const COLUMNS: Readonly<Record<keyof BuyHoldYear, TableColumn>> = {
  year: column(["year", "integer"], "calendar year of the purchase"),
  entryDay: column(
    ["entry_date", "date"],
    "day of the purchase: 1 January, or the coin's first day",
  ),
  entryPriceUsd: column(["entry_price_usd", "double", "usd"], "close of that day"),
  daysHeld: column(["held_days", "integer", "days"], "days from entry to the coin's last day"),
  valueOf1000Usd: column(
    ["value_of_1000_usd", "double", "usd"],
    "worth of 1,000 dollars put in, at the last close",
  ),
  totalReturn: column(["total_return", "double", "fraction"], "0.5 is +50 %"),
  calendarReturn: column(
    ["calendar_return", "double", "fraction"],
    "from the last close of the year before (in the first year, its first close) to the year's last close, or the coin's last",
  ),
  cagr: column(
    ["cagr", "double", "fraction"],
    "compound annual growth over actual days of a 365-day year; NULL for 0 days",
  ),
  peakDay: column(["peak_date", "date"], "day of the highest close since entry"),
  peakPriceUsd: column(["peak_price_usd", "double", "usd"], "that close"),
  peakReturn: column(["peak_return", "double", "fraction"], "return from entry to that close"),
  maxDrawdown: column(
    ["max_drawdown", "double", "fraction"],
    "deepest fall of a close below the highest close since entry; 0 or negative",
  ),
  drawdownFromDay: column(
    ["drawdown_from", "date"],
    "day of the high it fell from; NULL when it never fell",
  ),
  drawdownToDay: column(["drawdown_to", "date"], "day of the low; NULL when it never fell"),
  partial: column(["partial", "boolean"], "the year's first close is later than 1 January"),
};

const FIELDS = Object.keys(COLUMNS) as readonly (keyof BuyHoldYear)[];

export const BUY_HOLD: Table = {
  name: "buy_hold",
  description:
    "What became of money put into a coin at the first close of a year and held to its last day: one row for each coin and year.",
  key: ["coin", "year"],
  arrow: true,
  columns: [column(["coin", "text"], "lower-case ticker"), ...Object.values(COLUMNS)],
};

export function buyHoldBlock(coin: string, years: readonly BuyHoldYear[]): TableBlock {
  const columns = FIELDS.map(
    (field) => [COLUMNS[field].name, years.map((year) => year[field])] as const,
  );
  return { rows: years.length, columns: { coin, ...Object.fromEntries(columns) } };
}

/** The years of a block as they were computed, with NaN for a missing number and null for a missing day. */
export function buyHoldYearsOf(block: TableBlock): BuyHoldYear[] {
  return Array.from({ length: block.rows }, (_, row) => {
    const year = Object.fromEntries(
      FIELDS.map((field) => [field, valueAt(block, COLUMNS[field].name, row)] as const),
    );
    return { ...year, cagr: year["cagr"] ?? NaN } as unknown as BuyHoldYear;
  });
}
