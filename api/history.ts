import { attribution, type Attributed } from "./attribution.ts";
import { columnsByName, date, dates, flag, oneOf, text } from "./members.ts";
import { record, type Json } from "./record.ts";
import type { Column, Table } from "./table.ts";

export const HISTORY_STEPS = ["day", "week", "month"] as const;

/** Days of a coin's history and what was asked for of them. */
interface Days extends Attributed {
  readonly coin: string;
  readonly step: (typeof HISTORY_STEPS)[number];
  readonly days: Int32Array;
  /** By name, in the units of the table, one value per day. */
  readonly columns: Readonly<Record<string, Float64Array>>;
  readonly isPartial: boolean;
}

/** `GET /history` */
export const History = record<Days>()({
  attribution,
  coin: text("ticker"),
  step: oneOf(HISTORY_STEPS)("what a row stands for: its last day has the values"),
  from: date("first row", ({ days }) => days[0]!), // a history has days
  to: date("last row", ({ days }) => days.at(-1)!),
  partial: flag(
    "whether the last row is of a week or month that has more days",
    ({ isPartial }) => isPartial,
  ),
  dates: dates("of each row, oldest first", ({ days }) => days),
  columns: columnsByName("the values of each row by column, null without enough history"),
});

/** The table of a history: one row per date. */
export function historyTable({ dates, columns, partial }: Json<typeof History>): Table {
  const last = dates.length - 1;
  const own: Column<number>[] = [
    { name: "date", field: "dates", of: (row) => dates[row] },
    { name: "partial", field: "partial", of: (row) => partial && row === last },
  ];
  const named = Object.entries(columns).map(([name, values]): Column<number> => {
    return { name, field: `columns.${name}`, of: (row) => values[row] };
  });
  return { columns: [...own, ...named], rows: [...dates.keys()] };
}
