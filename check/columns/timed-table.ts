import { FileRefused } from "../../files/refused.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import type { CheckWarning } from "../../quant/check/panel.ts";
import { cellsOf, type Table } from "../../files/csv.ts";

import { numberOf, shortened } from "../../files/numbers.ts";
import { rowsWhere } from "../formats/table-format.ts";
import { isDate, timeOf } from "../../files/times.ts";
import { OF_STRATEGY, readName } from "./name-role.ts";

/** A table in which every row is a bar, and one column holds the whole date. */
export interface TimedTable {
  readonly table: Table;
  /** Place of the column of dates. */
  readonly time: number;
  /** Columns that the dates were made from. */
  readonly places: ReadonlySet<number>;
}

/** Undefined for a table without dates. */
export function timedTable(read: Table, warnings: CheckWarning[]): TimedTable | undefined {
  const whole = rowsWhere(read, (row) => !row.every((cell) => /^[-=_\s]*$/.test(cell)));
  if (whole.rows.length === 0) throw new FileRefused("the file has a header and no rows");
  const found = dated(whole);
  if (found === undefined) return undefined;
  const { time } = found;
  const table = withoutUndated(withoutTotals(found.table, time, warnings), time, warnings);
  refuseLong(table, time);
  return { ...found, table };
}

/** Whether a column is called as returns or values of an account are, and nothing beside. */
export function namesStrategy({ header }: Table): boolean {
  return header.map(readName).some(({ role, rest }) => OF_STRATEGY.has(role) && rest.length === 0);
}

const CELLS_LOOKED_AT = 3;

/** The table by its column of dates: one that is called so, else the first that holds any. */
function dated(table: Table): TimedTable | undefined {
  const roles = table.header.map((name) => readName(name).role);
  const mayBe = [...roles.keys()].filter((index) => ["time", "unknown"].includes(roles[index]!));
  const found = mayBe.filter((index) => {
    const filled = cellsOf(table, index).filter((cell) => cell.trim() !== "");
    return filled.length > 0 && filled.slice(0, CELLS_LOOKED_AT).every(isDate);
  });
  const time = found.find((index) => roles[index] === "time") ?? found[0];
  if (time === undefined) return datedBySerials(table, mayBe);
  const clock = clockOf(table, time);
  if (clock === undefined) return { table, time, places: new Set([time]) };
  const joined = withCells(table, time, (day, row) => `${day.trim()} ${row[clock]!.trim()}`);
  return { table: joined, time, places: new Set([time, clock]) };
}

/** The table with other cells in one column. */
function withCells(
  table: Table,
  index: number,
  cellOf: (cell: string, row: readonly string[]) => string,
): Table {
  return { ...table, rows: table.rows.map((row) => row.with(index, cellOf(row[index]!, row))) };
}

const CLOCK = /^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** The column of times of day beside dates that have none. */
function clockOf(table: Table, time: number): number | undefined {
  if (table.rows.some((row) => row[time]!.includes(":"))) return undefined;
  return [...table.header.keys()].find((index) =>
    table.rows.every((row) => CLOCK.test(row[index]!.trim())),
  );
}

/** Excel's day 1 is 1 January 1900, and it counts a 29 February 1900 that never was. */
const EXCEL_EPOCH_DAY = -25_569;
/** 1990 to 2100. */
const [SERIAL_MIN, SERIAL_MAX] = [32_874, 73_415];
const SERIAL = /^\d{5}(\.0+)?$/;

/** Dates as the numbers that a spreadsheet without formats shows: days, as Excel counts them. */
function datedBySerials(table: Table, mayBe: readonly number[]): TimedTable | undefined {
  const time = mayBe.find((index) => areSerials(cellsOf(table, index)));
  if (time === undefined) return undefined;
  const dates = withCells(table, time, (cell) =>
    SERIAL.test(cell.trim()) ? dateOfDay(Number(cell) + EXCEL_EPOCH_DAY) : cell,
  );
  return { table: dates, time, places: new Set([time]) };
}

function areSerials(cells: readonly string[]): boolean {
  const days = cells.filter((cell) => SERIAL.test(cell.trim())).map(Number);
  if (days.length < 2 || days.length < cells.length - 1) return false; // the last may be a total
  const direction = Math.sign(days[1]! - days[0]!);
  return (
    days.every((day) => day >= SERIAL_MIN && day <= SERIAL_MAX) &&
    days.slice(1).every((day, row) => direction * (day - days[row]!) > 0)
  );
}

/** A last line that begins with a word such as `Total`, or has no date, isn't a day. */
function withoutTotals(table: Table, time: number, warnings: CheckWarning[]): Table {
  if (table.rows.length < 3) return table;
  const last = table.rows.at(-1)!.map((cell) => cell.trim());
  const word = last[time] || (last.find((cell) => /^\p{L}/u.test(cell)) ?? "");
  const isWord = /^\p{L}/u.test(word) && timeOf(word) === undefined;
  if (!isWord && last[time] !== "") return table;
  const what = word === "" ? "" : `, "${shortened(word)}",`;
  const message = `the last line${what} isn't a day and was left out`;
  warnings.push({ code: "totals_line", message });
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

/**
 * Refuses a frame in long form, which repeats each date for each name in a column of names. The advice names as many
 * columns as tell its rows apart, since pandas pivots no others.
 */
function refuseLong({ header, rows }: Table, time: number): void {
  if (header.length < 3 || new Set(rows.map((row) => row[time])).size > 0.9 * rows.length) return;
  const isName = (cell: string) => /\p{L}/u.test(cell) && numberOf(cell, ".") === undefined;
  const others = [...header.keys()].filter((index) => index !== time);
  const column = others.find((index) => rows.every((row) => isName(row[index]!)));
  if (column === undefined) return;
  const different = (keys: readonly number[]) =>
    new Set(rows.map((row) => keys.map((key) => row[key]).join("\n"))).size;
  const keys = [column];
  const isWhole = () => different([time, ...keys]) === rows.length;
  for (const index of others)
    if (!isWhole() && index !== column && different([index]) <= KEYS_SHARE * rows.length)
      keys.push(index);
  const quoted = (index: number) => `"${header[index]!}"`;
  const says = `column "${shortened(header[column]!)}" holds names, and dates repeat for each`;
  const values = others.filter((index) => !keys.includes(index));
  const roleOf = (index: number) => readName(header[index]!).role;
  const value =
    values.find((index) => roleOf(index) === "value") ??
    values.find((index) => OF_STRATEGY.has(roleOf(index))) ??
    values.find((index) => values.length === 1 && roleOf(index) === "unknown");
  if (value === undefined || !isWhole())
    throw new FileRefused(
      `${says}: as a log, a list of positions or prices of several assets, it isn't a record of a strategy. Send its returns ` +
        "or equity, one row a day",
    );
  const names = keys.length === 1 ? quoted(column) : `[${keys.map(quoted).join(", ")}]`;
  throw new FileRefused(
    `${says}: make a column of each name, with pandas by ` +
      `df.pivot(index=${quoted(time)}, columns=${names}, values=${quoted(value)}).to_csv("curves.csv")`,
  );
}

/** A column with so few different cells tells curves apart, and holds no values of them. */
const KEYS_SHARE = 0.2;
