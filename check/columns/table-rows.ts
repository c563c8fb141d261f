import type { CheckWarning } from "../../quant/check/panel.ts";
import type { Table } from "../formats/csv.ts";
import { FileRefused } from "../formats/export.ts";
import { numberOf, shortened } from "../formats/numbers.ts";
import { rowsWhere } from "../formats/table-format.ts";
import { timeOf } from "../formats/times.ts";
import { OF_STRATEGY, readName } from "./name-role.ts";
import { dated } from "./time-column.ts";

/** A table of one's own with its rows cleared of what is no bar. */
export interface TimedTable {
  readonly table: Table;
  readonly time: number;
  /** Columns that went into the dates. */
  readonly places: ReadonlySet<number>;
}

const BLANK = /^[-=_\s]*$/;

/** Undefined for a table that is no record: it has neither dates nor a name that says what it is. */
export function timedTable(read: Table, warnings: CheckWarning[]): TimedTable | undefined {
  const whole = rowsWhere(read, (row) => !row.every((cell) => BLANK.test(cell)));
  if (whole.rows.length === 0) throw new FileRefused("the file has a header and no rows");
  const { table, time, places } = dated(whole);
  if (time === undefined) return undefined;
  const named = withoutUndated(withoutTotals(table, time, warnings), time, warnings);
  refuseLong(named, time);
  return { table: named, time, places };
}

/** Whether a column is called as returns or values of an account are, and no more than that. */
export function namesStrategy({ header }: Table): boolean {
  return header.map(readName).some(({ role, rest }) => OF_STRATEGY.has(role) && rest.length === 0);
}

/** A last line that begins with a word, such as `Total`, is no day; nor is one that has no date. */
function withoutTotals(table: Table, time: number, warnings: CheckWarning[]): Table {
  const last = table.rows.at(-1)!; // a table without rows was refused
  if (table.rows.length < 3) return table;
  const words = last.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const word = last[time]!.trim() || (words.find((cell) => /^\p{L}/u.test(cell)) ?? "");
  const isWord = /^\p{L}/u.test(word) && timeOf(word) === undefined;
  if (!isWord && last[time]!.trim() !== "") return table;
  const what = word === "" ? "" : `, "${shortened(word)}",`;
  warnings.push({
    code: "totals_line",
    message: `the last line${what} is no day and was left out`,
  });
  return { ...table, rows: table.rows.slice(0, -1), lines: table.lines.slice(0, -1) };
}

/** A starting balance may come before the first date. */
function withoutUndated(table: Table, time: number, warnings: CheckWarning[]): Table {
  const first = table.rows.findIndex((row) => row[time]!.trim() !== "");
  if (first <= 0) return table;
  const what =
    first === 1 ? "the first row has no date and was" : `${first} rows before the first date were`;
  warnings.push({ code: "undated_rows", message: `${what} left out` });
  return { ...table, rows: table.rows.slice(first), lines: table.lines.slice(first) };
}

/** A frame in long form repeats each date for each name in a column of them. */
function refuseLong({ header, rows }: Table, time: number): void {
  if (header.length < 3 || new Set(rows.map((row) => row[time])).size > 0.9 * rows.length) return;
  const isName = (cell: string) => /\p{L}/u.test(cell) && numberOf(cell, ".") === undefined;
  const column = header.findIndex(
    (_, place) => place !== time && rows.every((row) => isName(row[place]!)),
  );
  if (column < 0) return;
  const names = shortened(header[column]!);
  throw new FileRefused(
    `column "${names}" holds names, and dates repeat for each: make a column of each name, ` +
      `with pandas by df.pivot(index="${shortened(header[time]!)}", columns="${names}", values=...)`,
  );
}
