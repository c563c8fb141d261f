import { attribution, type Attributed } from "./attribution.ts";
import { civilOfDay, dayOfDate, daysInMonth } from "../quant/calendar.ts";
import type { RatingName } from "../quant/signals/rating.ts";
import {
  columnsByName,
  date,
  dates,
  flag,
  list,
  oneOf,
  text,
  texts,
  textsOrNull,
} from "./members.ts";
import { facts, record, type FactsOf, type Json } from "./record.ts";
import type { Column, Table } from "./table.ts";

export const HISTORY_STEPS = ["day", "week", "month"] as const;
type Step = (typeof HISTORY_STEPS)[number];
/** 1970-01-01 was a Thursday, so the week of day 0 ends on day 3, a Sunday. */
const FIRST_SUNDAY = 3;

/** Days of coins' histories, and the request. */
interface Days extends Attributed {
  /** Tickers in board order, separated by commas. */
  readonly coin: string;
  readonly step: Step;
  readonly days: Int32Array;
  /** The coin of each row, if the request has several. */
  readonly coins: readonly string[] | undefined;
  /** By name, in the units of the table, one value per row. */
  readonly columns: Readonly<Record<string, Float64Array>>;
  readonly ratings: readonly (RatingName | null)[] | undefined;
  readonly cut: readonly FactsOf<typeof Cut>[];
}

const Cut = facts()({
  coin: text("ticker"),
  from: date.orNull("its first row; null without a row"),
  to: date.orNull("its last row"),
});

export const History = record<Days>()({
  attribution,
  coin: text("ticker; of several coins their tickers, separated by commas"),
  step: oneOf(HISTORY_STEPS)("what a row covers: its last day has the values"),
  from: date("first day of any row", ({ days }) => Math.min(...days)), // a history has days
  to: date("last day of any row", ({ days }) => Math.max(...days)),
  partial: flag("whether a last row is of a week or month that has more days", ({ days, step }) =>
    days.some((day) => !endsStep(day, step)),
  ),
  cut: list(Cut)("the coins that lack some of the requested days, which were left out"),
  dates: dates("of each row, oldest first, coin by coin", ({ days }) => days),
  coins: texts.ifAny("ticker of each row, if several coins were requested"),
  columns: columnsByName("the values of each row by column, null without enough history"),
  ratings: textsOrNull.ifAny("the rating of each row, if the column `rating` was requested"),
});

/** The table of a history: one row per coin and date. */
export function historyTable(history: Json<typeof History>): Table {
  const { dates, columns, step, coins, ratings } = history;
  const isPartial = (row: number) => !endsStep(dayOfDate(dates[row]!)!, step); // our own date
  const named = Object.entries(columns).map(([name, values]): Column<number> => {
    return { name, field: `columns.${name}`, cell: (row) => values[row] };
  });
  const all: (Column<number> | undefined)[] = [
    coins && { name: "coin", field: "coins", cell: (row) => coins[row] },
    { name: "date", field: "dates", cell: (row) => dates[row] },
    { name: "partial", field: "partial", cell: isPartial },
    ...named,
    ratings && { name: "rating", field: "ratings", cell: (row) => ratings[row] },
  ];
  return { columns: all.filter((column) => column !== undefined), rows: [...dates.keys()] };
}

/** Whether a day is the last of its week or month. Only a last row's is not. */
export function endsStep(day: number, step: Step): boolean {
  if (step === "day") return true;
  if (step === "week") return (day - FIRST_SUNDAY) % 7 === 0;
  const { year, month, dayOfMonth } = civilOfDay(day);
  return dayOfMonth === daysInMonth(year, month);
}
