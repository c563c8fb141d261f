import type { Table } from "../../files/csv.ts";
import { shortened } from "../../files/numbers.ts";
import { FileRefused } from "../../files/refused.ts";
import { MONTHS, timeOf, zoneOffset, type DateOrder } from "../../files/times.ts";
import { civilOfDay } from "../../quant/calendar.ts";
import { question, type MoreNeeded, type ReadOptions } from "./export.ts";

/** The refusal of a file that counts its rows instead of dating them. */
export const NO_DATES =
  "your data had no dates: give the prices that your tool reads a column of dates (with pandas a DatetimeIndex) and " +
  "write the file again";
const DATE_WANTED = " such as 2024-01-31, from 1900 to 2200";

/**
 * The instants of a column of times. Midnights count as the dates that they write, whatever the zone: a day in Berlin
 * begins on the evening before in UTC, and shifting it would move every day to the one before. Other times become UTC by
 * the zone that is written beside them, in the header, or given. Columns `alike` write their dates in the same order.
 */
export function timeColumn(
  table: Table,
  column: number,
  { dates, timezone }: Pick<ReadOptions, "timezone" | "dates">,
  alike: readonly number[] = [],
): Float64Array {
  const order = firstOrder(table, [column, ...alike], dates);
  const times = table.rows.map((row, index) => {
    const cell = row[column]!;
    const time = timeOf(cell, order);
    if (time !== undefined) return time;
    const name = table.header[column]! || "the first column";
    const why = /^\s*\d{1,8}\s*$/.test(cell) ? `, but a number: ${NO_DATES}` : DATE_WANTED;
    throw new FileRefused(
      `line ${table.lines[index]!}, column "${name}": "${shortened(cell)}" is not a date${why}`,
    );
  });
  const isDaily = times.every(({ seconds }) => seconds % 86_400 === 0);
  const zone = zoneOf(table.header[column]!) ?? timezone;
  const offset = isDaily || zone === undefined ? () => 0 : zoneOffset(zone);
  return Float64Array.from(times, ({ seconds, offsetSeconds }) => {
    if (isDaily) return seconds;
    // Near a change of the clocks, the offset is the one after a first guess.
    return seconds - (offsetSeconds ?? offset(seconds - offset(seconds)));
  });
}

/** The order of dates by the first column that tells it. If none does, the question of the first. */
function firstOrder(
  table: Table,
  columns: readonly number[],
  dates: ReadOptions["dates"],
): DateOrder {
  const found = columns.map((column) => orderOf(table, column, dates));
  const order = found.find((each) => typeof each === "string");
  if (order === undefined) throw found[0] as MoreNeeded; // there is a column
  return order;
}

/** The zone that a header names, as in `Time (UTC+2)`. */
function zoneOf(name: string): string | undefined {
  const match = /\b(?:UTC|GMT)\s*([-+])(\d{1,2})(?::?(\d{2}))?/i.exec(name);
  if (match === null) return undefined;
  return `${match[1]!}${match[2]!.padStart(2, "0")}:${match[3] ?? "00"}`;
}

/** A date that ends in its year, without points. */
const SLASHED = /^\s*\d{1,2}[-/]\d{1,2}[-/](\d{4}|\d{2})(?!\d)/;

/**
 * The order of dates that end in the year: the one in which all of them are dates, else the one in which alone the rows
 * are in the order of time, else the question.
 */
function orderOf(
  { rows, lines }: Table,
  column: number,
  dates: ReadOptions["dates"],
): DateOrder | MoreNeeded {
  const slashed = [...rows.keys()].filter((row) => SLASHED.test(rows[row]![column]!));
  if (slashed.length === 0) return "ymd";
  if (dates !== undefined) return dates === "day-first" ? "dmy" : "mdy";
  const texts = slashed.map((row) => rows[row]![column]!);
  const fits = (order: DateOrder) => texts.every((cell) => timeOf(cell, order) !== undefined);
  if (!fits("dmy") || !fits("mdy")) return fits("mdy") ? "mdy" : "dmy";
  const [dayFirst, monthFirst] = [isInOrder(texts, "dmy"), isInOrder(texts, "mdy")];
  if (dayFirst !== monthFirst) return dayFirst ? "dmy" : "mdy";
  const open = texts.findIndex((cell) => {
    const [a, b] = cell.trim().split(/[-/.]/);
    return Number(a) !== Number(b);
  });
  if (open < 0) return "dmy"; // both orders give the same days
  return dateQuestion(texts[open]!.trim(), lines[slashed[open]!]!);
}

/** Whether times never go back, or never forward. */
function isInOrder(cells: readonly string[], order: DateOrder): boolean {
  const steps = cells
    .map((cell) => timeOf(cell, order)!.seconds)
    .map((seconds, row, all) => Math.sign(seconds - (all[row - 1] ?? seconds)));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}

function dateQuestion(cell: string, line: number): MoreNeeded {
  const [dayFirst, monthFirst] = (["dmy", "mdy"] as const).map((order) => {
    const { year, month, dayOfMonth } = civilOfDay(
      Math.floor(timeOf(cell, order)!.seconds / 86_400),
    );
    return `${dayOfMonth} ${MONTHS[month - 1]!} ${year}`;
  }) as [string, string];
  const text = `"${shortened(cell)}" in line ${line} may be ${dayFirst} or ${monthFirst}: which is it?`;
  return question("dates", text, [
    { value: "day-first", label: dayFirst, text: "the day comes first" },
    { value: "month-first", label: monthFirst, text: "the month comes first" },
  ]);
}
