import { civilOfDay, dayOfCivil, daysInMonth } from "../../quant/calendar.ts";
import type { Table } from "./csv.ts";
import { FileRefused, question, type MoreNeeded, type ReadOptions } from "./export.ts";
import { shortened } from "./numbers.ts";

/** A time as written, as if it were UTC, and its distance from UTC where that is written beside it. */
interface WrittenTime {
  readonly seconds: number;
  readonly offsetSeconds: number | undefined;
}

/** The order of the numbers in a date such as 01/02/2024. */
export type DateOrder = "ymd" | "dmy" | "mdy";

const DATE =
  /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:(?:[T ]|[,;] ?)\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([AP]M)?\s*(Z|UTC|GMT|[-+]\d{2}(?::?\d{2})?)?)?$/i;
/** In English: `1-Feb-22` as Excel writes it, `01 February 2022` and `Feb 1, 2022`. */
/** What JavaScript, HTTP and C write around a date: the day of the week, `GMT` before an offset, the zone in words. */
const AROUND = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +|(?<=\d )GMT(?=[-+]\d{4})| *\(.*\)$/gi;
/** `Jan  1 00:00:00 2024` of C. */
const YEAR_LAST = /^([a-z]{3} +\d{1,2}) (\d{1,2}:\d{2}:\d{2})(?: (?:UTC|GMT))? (\d{4})$/i;
const NAMED_MONTH = /^(?:(\d{1,2})[- ])?([a-z]{3})[a-z]*[- ]+(?:(\d{1,2}),? )?(\d{4}|\d{2})\b/i;
const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
/** Longer texts are no times. */
const LENGTH_MAX = 96;
const COMPACT_TIME = /^(\d{4})(\d{2})(\d{2})[T ;,]+(\d{2}):?(\d{2}):?(\d{2})$/;
const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})$/;
const UNIX = /^(\d{9,19})(?:\.\d+)?$/;
/** Digits of Unix times in seconds, milliseconds, microseconds and nanoseconds, and how many of each make a second. */
const UNIX_UNITS: readonly (readonly [number, number])[] = [
  [11, 1],
  [14, 1e3],
  [17, 1e6],
  [19, 1e9],
];

/** The time that a cell writes, if it writes one. */
export function timeOf(cell: string, order: DateOrder = "ymd"): WrittenTime | undefined {
  if (cell.length > LENGTH_MAX) return undefined;
  const text = plainDate(cell.trim().replace(AROUND, "").replace(YEAR_LAST, "$1 $3 $2"));
  const unix = UNIX.exec(text);
  if (unix !== null) {
    const [, perSecond] = UNIX_UNITS.find(([digits]) => unix[1]!.length <= digits)!; // at most 19 digits
    return { seconds: Math.floor(Number(text) / perSecond), offsetSeconds: 0 };
  }
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, a, mark, b, c] = match as unknown as [string, string, string, string, string]; // each group matched
  const [hour, minute, second] = [5, 6, 7].map((group) => Number(match[group] ?? 0)) as [
    number,
    number,
    number,
  ];
  const hours = match[8] === undefined ? hour : (hour % 12) + (/p/i.test(match[8]) ? 12 : 0);
  if (hours > 23 || minute > 59 || second > 60) return undefined;
  const day = dayOfParts(
    [a, b, a.length < 4 ? fullYear(c) : c].map(Number),
    orderOfParts(a, mark, order),
  );
  if (day === undefined) return undefined;
  const seconds = day * 86_400 + 3600 * hours + 60 * minute + second;
  return { seconds, offsetSeconds: offsetOf(match[9]) };
}

/** The time that a cell writes in whichever order. */
export function writtenTime(cell: string): WrittenTime | undefined {
  return timeOf(cell) ?? timeOf(cell, "dmy");
}

/** A date that is written without marks, or with the name of its month, in numbers with marks. */
function plainDate(text: string): string {
  if (COMPACT_DATE.test(text)) return text.replace(COMPACT_DATE, "$1-$2-$3");
  if (COMPACT_TIME.test(text)) return text.replace(COMPACT_TIME, "$1-$2-$3 $4:$5:$6");
  if (/^\d{4}-\d{2}$/.test(text)) return `${text}-01`; // a period of pandas
  const match = NAMED_MONTH.exec(text);
  if (match === null) return text;
  const name = match[2]!.toLowerCase(); // a month and a year always match
  const month = MONTHS.findIndex((each) => each.toLowerCase().startsWith(name)) + 1;
  const day = match[1] ?? match[3];
  if (month === 0 || day === undefined) return text;
  return `${fullYear(match[4]!)}-${month}-${day}${text.slice(match[0].length)}`;
}

/** A year of two digits as POSIX has it: 69 is 2069, 70 is 1970. */
function fullYear(year: string): string {
  return year.length === 2 ? `${Number(year) < 70 ? "20" : "19"}${year}` : year;
}

/** Dates with points have the day first wherever they are used. */
function orderOfParts(first: string, mark: string, order: DateOrder): DateOrder {
  if (first.length === 4) return "ymd";
  return order === "ymd" ? (mark === "." ? "dmy" : "mdy") : order;
}

/** The day since 1970 of three numbers, if they are a date. */
function dayOfParts([a, b, c]: readonly number[], order: DateOrder): number | undefined {
  const [year, month, dayOfMonth] =
    order === "ymd" ? [a!, b!, c!] : order === "dmy" ? [c!, b!, a!] : [c!, a!, b!];
  if (year < 1900 || year > 2200 || month < 1 || month > 12) return undefined;
  if (dayOfMonth < 1 || dayOfMonth > daysInMonth(year, month)) return undefined;
  return dayOfCivil({ year, month, dayOfMonth });
}

function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^(Z|UTC|GMT)$/i.test(text)) return 0;
  const digits = text.slice(1).replace(":", "");
  const seconds = 3600 * Number(digits.slice(0, 2)) + 60 * Number(digits.slice(2));
  return text.startsWith("-") ? -seconds : seconds;
}

/** Whether the first cells of a column are times. */
export function isTimeColumn(table: Table, column: number): boolean {
  const cells = table.rows.slice(0, 3);
  return cells.length > 0 && cells.every((row) => isDate(row[column]!));
}

export function isDate(cell: string): boolean {
  return writtenTime(cell) !== undefined;
}

/** Whether a cell writes a day without a time of day. */
export function isMidnight(cell: string): boolean {
  const time = writtenTime(cell);
  return time !== undefined && time.seconds % 86_400 === 0;
}

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
  const times = table.rows.map((row, place) => {
    const cell = row[column]!;
    const time = timeOf(cell, order);
    if (time !== undefined) return time;
    const name = table.header[column]! || "the first column";
    const why = /^\s*\d{1,8}\s*$/.test(cell) ? `, but a number: ${NO_DATES}` : DATE_WANTED;
    throw new FileRefused(
      `line ${table.lines[place]!}, column "${name}": "${shortened(cell)}" is not a date${why}`,
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

/** By how many seconds a zone is ahead of UTC at a time in UTC. */
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
