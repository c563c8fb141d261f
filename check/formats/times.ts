import { dateOfDay, dayOfCivil, daysInMonth } from "../../quant/calendar.ts";
import type { Table } from "./csv.ts";
import { FileRefused, MoreNeeded, type ReadOptions } from "./export.ts";
import { shortened } from "./numbers.ts";

/** A time as it is written, as if it were UTC, and its distance from UTC if that is written beside it. */
interface WrittenTime {
  readonly seconds: number;
  readonly offsetSeconds: number | undefined;
}

/** Order of the numbers of a date such as 01/02/2024. */
type DateOrder = "ymd" | "dmy" | "mdy";

const DATE =
  /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:(?:[T ]|[,;] ?)\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([AP]M)?\s*(Z|UTC|GMT|[-+]\d{2}(?::?\d{2})?)?)?$/i;
/** `1-Feb-22` as Excel writes it, `01 February 2022` and `Feb 1, 2022`, in English. */
const NAMED_MONTH = /^(?:(\d{1,2})[- ])?([a-z]{3})[a-z]*[- ](?:(\d{1,2}),? )?(\d{4}|\d{2})\b/i;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
/** Longer texts are no time; they are not looked at any further. */
const LENGTH_MAX = 64;
const COMPACT_TIME = /^(\d{4})(\d{2})(\d{2})[T ;,]+(\d{2}):?(\d{2}):?(\d{2})$/;
const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})$/;
const UNIX = /^(\d{9,19})(?:\.\d+)?$/;
/** Digits of Unix times in seconds, milliseconds, microseconds and nanoseconds, and how many make a second. */
const UNIX_UNITS: readonly (readonly [number, number])[] = [
  [11, 1],
  [14, 1e3],
  [17, 1e6],
  [19, 1e9],
];

/** The time that a cell writes, or undefined. */
export function timeOf(cell: string, order: DateOrder = "ymd"): WrittenTime | undefined {
  if (cell.length > LENGTH_MAX) return undefined;
  const text = withMonthNumber(cell.trim());
  const unix = UNIX.exec(text);
  if (unix !== null) {
    const [, perSecond] = UNIX_UNITS.find(([digits]) => unix[1]!.length <= digits)!; // at most 19 digits
    return { seconds: Math.floor(Number(text) / perSecond), offsetSeconds: 0 };
  }
  const compact = COMPACT_DATE.exec(text);
  if (compact !== null) {
    return dated([Number(compact[1]), Number(compact[2]), Number(compact[3])], 0, undefined);
  }
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const isYearLast = match[1]!.length < 4 && match[4]!.length === 2; // groups that always take part
  const last = isYearLast ? fullYear(match[4]!) : match[4];
  const numbers = [Number(match[1]), Number(match[3]), Number(last)] as const;
  const [hour, minute, second] = [5, 6, 7].map((group) => Number(match[group] ?? 0)) as [
    number,
    number,
    number,
  ];
  const hours = match[8] === undefined ? hour : (hour % 12) + (/p/i.test(match[8]) ? 12 : 0);
  if (hours > 23 || minute > 59 || second > 60) return undefined;
  const year = match[1]!.length === 4 ? "ymd" : order === "ymd" ? dottedOrder(match[2]!) : order;
  const time = 3600 * hours + 60 * minute + second;
  return dated(ordered(numbers, year), time, offsetOf(match[9]));
}

/** The date with its month as a number; `2024-01`, a period of pandas, as its first day. */
function withMonthNumber(text: string): string {
  if (COMPACT_TIME.test(text)) return text.replace(COMPACT_TIME, "$1-$2-$3 $4:$5:$6");
  if (/^\d{4}-\d{2}$/.test(text)) return `${text}-01`;
  const match = NAMED_MONTH.exec(text);
  const month = MONTHS.indexOf(match?.[2]?.toLowerCase() ?? "") + 1;
  const day = match?.[1] ?? match?.[3];
  if (match === null || month === 0 || day === undefined) return text;
  const year = match[4]!; // a group that always takes part
  return `${fullYear(year)}-${month}-${day}${text.slice(match[0].length)}`;
}

/** A year of two digits as POSIX has it: 69 is 2069, 70 is 1970. */
function fullYear(year: string): string {
  return year.length === 4 ? year : `${Number(year) < 70 ? "20" : "19"}${year}`;
}

/** Days with points come day first wherever they are used. */
function dottedOrder(separator: string): DateOrder {
  return separator === "." ? "dmy" : "mdy";
}

function ordered([a, b, c]: readonly [number, number, number], order: DateOrder): DateNumbers {
  if (order === "ymd") return [a, b, c];
  return order === "dmy" ? [c, b, a] : [c, a, b];
}

type DateNumbers = readonly [year: number, month: number, day: number];

function dated(
  [year, month, dayOfMonth]: DateNumbers,
  time: number,
  offsetSeconds: number | undefined,
): WrittenTime | undefined {
  if (year < 1900 || year > 2200 || month < 1 || month > 12) return undefined;
  if (dayOfMonth < 1 || dayOfMonth > daysInMonth(year, month)) return undefined;
  return { seconds: dayOfCivil({ year, month, dayOfMonth }) * 86_400 + time, offsetSeconds };
}

function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^(Z|UTC|GMT)$/i.test(text)) return 0;
  const digits = text.slice(1).replace(":", "");
  const seconds = 3600 * Number(digits.slice(0, 2)) + 60 * Number(digits.slice(2));
  return text.startsWith("-") ? -seconds : seconds;
}

/** Whether a column of texts holds times: all of its cells but the last, which may be a line of totals. */
export function isTimeColumn(table: Table, column: number): boolean {
  const cells = table.rows.slice(0, 3);
  return cells.length > 0 && cells.every((row) => isDate(row[column]!));
}

/** Whether a cell writes a time, in whichever order. */
export function isDate(cell: string): boolean {
  return timeOf(cell) !== undefined || timeOf(cell, "dmy") !== undefined;
}

/** What decides how times are read. */
type TimeOptions = Pick<ReadOptions, "timezone" | "dates">;

/** What to do where a file counts its rows instead. */
export const NO_DATES =
  "your data had no dates: give the prices that your tool reads a column of dates (with pandas a DatetimeIndex) and " +
  "write the file again";

/** Whether a cell writes a day without a time of day. */
export function isMidnight(cell: string): boolean {
  const time = timeOf(cell) ?? timeOf(cell, "dmy");
  return time !== undefined && time.seconds % 86_400 === 0;
}

/**
 * The instants of a column of times. Midnights count as the dates they write, whatever the zone: a day in Berlin
 * begins on the evening before in UTC, and shifting it would put every day on the one before. Other times with a
 * zone beside them, in the column's name, or given one, become UTC. Columns of `alike` write their dates in one order.
 */
export function timeColumn(
  table: Table,
  column: number,
  options: TimeOptions,
  alike: readonly number[] = [],
): Float64Array {
  const cells = table.rows.map((row) => row[column]!);
  const order = firstOrder(table, [column, ...alike], options.dates);
  const times = cells.map((cell, place) => {
    const time = timeOf(cell, order);
    if (time !== undefined) return time;
    const name = table.header[column]! || "the first column";
    const why = /^\s*\d{1,8}\s*$/.test(cell) ? `, but a number: ${NO_DATES}` : DATE_WANTED;
    throw new FileRefused(
      `line ${table.lines[place]!}, column "${name}": "${shortened(cell)}" is not a date${why}`,
    );
  });
  return instantsOf(times, zoneOf(table.header[column]!) ?? options.timezone);
}

/** The order of dates that the first of several columns tells. */
function firstOrder(
  table: Table,
  columns: readonly number[],
  dates: TimeOptions["dates"],
): DateOrder {
  let asked: MoreNeeded | undefined;
  for (const column of columns) {
    try {
      return orderOf(
        table.rows.map((row) => row[column]!),
        table.lines,
        dates,
      );
    } catch (error) {
      if (!(error instanceof MoreNeeded)) throw error;
      asked ??= error;
    }
  }
  throw asked!; // there is a column
}

/** The zone that a header names, as in `Time (UTC+2)`. */
function zoneOf(name: string): string | undefined {
  const match = /\b(?:UTC|GMT)\s*([-+])(\d{1,2})(?::?(\d{2}))?/i.exec(name);
  return match === null
    ? undefined
    : `${match[1]!}${match[2]!.padStart(2, "0")}:${match[3] ?? "00"}`;
}

const DATE_WANTED = " such as 2024-01-31, from 1900 to 2200";

function instantsOf(times: readonly WrittenTime[], timezone?: string): Float64Array {
  if (times.every(({ seconds }) => seconds % 86_400 === 0)) {
    return Float64Array.from(times, ({ seconds }) => seconds);
  }
  const offset = timezone === undefined ? () => 0 : zoneOffset(timezone);
  return Float64Array.from(
    times,
    // Near a change of the clocks the offset is that after the first guess.
    ({ seconds, offsetSeconds }) => seconds - (offsetSeconds ?? offset(seconds - offset(seconds))),
  );
}

/**
 * Of dates that end in the year: whichever order makes all of them dates, or keeps the rows in order of time where only
 * one does; else it is asked.
 */
function orderOf(
  cells: readonly string[],
  lines: readonly number[],
  asked: ReadOptions["dates"],
): DateOrder {
  const slashed = [...cells.keys()].filter((row) => SLASHED.test(cells[row]!));
  if (slashed.length === 0) return "ymd";
  if (asked !== undefined) return asked === "day-first" ? "dmy" : "mdy";
  const texts = slashed.map((row) => cells[row]!);
  const fits = (order: DateOrder) => texts.every((cell) => timeOf(cell, order) !== undefined);
  if (!fits("dmy") || !fits("mdy")) return fits("mdy") ? "mdy" : "dmy";
  const [dayFirst, monthFirst] = [isInOrder(texts, "dmy"), isInOrder(texts, "mdy")];
  if (dayFirst !== monthFirst) return dayFirst ? "dmy" : "mdy";
  const row = slashed.find((each) => {
    const [a, b] = cells[each]!.trim().split(/[-/.]/);
    return Number(a) !== Number(b);
  });
  if (row === undefined) return "dmy"; // both orders give the same days
  throw dateQuestion(cells[row]!.trim(), lines[row]!);
}

const SLASHED = /^\s*\d{1,2}[-/]\d{1,2}[-/](\d{4}|\d{2})(?!\d)/;

/** Whether times never go back, or never forward. */
function isInOrder(cells: readonly string[], order: DateOrder): boolean {
  const steps = cells
    .map((cell) => timeOf(cell, order)!.seconds)
    .map((seconds, row, all) => Math.sign(seconds - (all[row - 1] ?? seconds)));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}

const MONTH_NAMES =
  "January February March April May June July August September October November December".split(
    " ",
  );

function dateQuestion(cell: string, line: number): MoreNeeded {
  const label = (order: DateOrder) => {
    const date = dateOfDay(Math.floor(timeOf(cell, order)!.seconds / 86_400));
    const [year, month, day] = date.split("-").map(Number) as [number, number, number];
    return `${day} ${MONTH_NAMES[month - 1]!} ${year}`;
  };
  const [dayFirst, monthFirst] = [label("dmy"), label("mdy")];
  return new MoreNeeded([
    {
      option: "dates",
      text: `"${shortened(cell)}" in line ${line} may be ${dayFirst} or ${monthFirst}: which is it?`,
      choices: [
        { value: "day-first", label: dayFirst, text: "the day comes first" },
        { value: "month-first", label: monthFirst, text: "the month comes first" },
      ],
    },
  ]);
}

/** Seconds by which a zone is ahead of UTC at a time of UTC. */
export function zoneOffset(timezone: string): (seconds: number) => number {
  const fixed = /^[-+]\d{2}:\d{2}$/.test(timezone) ? offsetOf(timezone) : undefined;
  if (fixed !== undefined) return () => fixed;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "longOffset" });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FileRefused(`there is no time zone "${timezone}"; Europe/Berlin and UTC are two`);
  }
  return (seconds) => {
    const parts = format.formatToParts(new Date(seconds * 1000));
    const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
    return offsetOf(name === "GMT" ? "Z" : name.slice(3)) ?? 0;
  };
}
