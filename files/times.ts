import { dayOfCivil, dayOfDate, daysInMonth } from "../quant/calendar.ts";
import type { Table } from "./csv.ts";
import { FileRefused } from "./refused.ts";

/** A time as written, as if it were UTC, and its distance from UTC where that is written beside it. */
interface WrittenTime {
  readonly seconds: number;
  readonly offsetSeconds: number | undefined;
}

/** The order of the numbers in a date such as 01/02/2024. */
export type DateOrder = "ymd" | "dmy" | "mdy";

const DATE =
  /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:(?:[T ]|[,;] ?)\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([AP]M)?\s*(Z|UTC|GMT|[-+]\d{2}(?::?\d{2})?)?)?$/i;
/** What JavaScript, HTTP and C write around a date: the day of the week, `GMT` before an offset, the zone in words. */
const AROUND = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +|(?<=\d )GMT(?=[-+]\d{4})| *\(.*\)$/gi;
/** `Jan  1 00:00:00 2024` of C. */
const YEAR_LAST = /^([a-z]{3} +\d{1,2}) (\d{1,2}:\d{2}:\d{2})(?: (?:UTC|GMT))? (\d{4})$/i;
/** In English: `1-Feb-22` as Excel writes it, `01 February 2022` and `Feb 1, 2022`. */
const NAMED_MONTH = /^(?:(\d{1,2})[- ])?([a-z]{3})[a-z]*[- ]+(?:(\d{1,2}),? )?(\d{4}|\d{2})\b/i;
export const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
/** Longer texts aren't times. */
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
  const iso = dayOfDate(cell); // most dates
  if (iso !== undefined && iso >= DAY_MIN && iso <= DAY_MAX) {
    return { seconds: iso * 86_400, offsetSeconds: undefined };
  }
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

/** A year of two digits as POSIX has it: 68 is 2068, 69 is 1969. */
function fullYear(year: string): string {
  return year.length === 2 ? `${Number(year) < 69 ? "20" : "19"}${year}` : year;
}

/** Dates with points have the day first wherever they are used. */
function orderOfParts(first: string, mark: string, order: DateOrder): DateOrder {
  if (first.length === 4) return "ymd";
  return order === "ymd" ? (mark === "." ? "dmy" : "mdy") : order;
}

const YEARS = [1900, 2200] as const;
const [DAY_MIN, DAY_MAX] = [dayOfDate("1900-01-01")!, dayOfDate("2200-12-31")!];

/** The day since 1970 of three numbers, if they are a date. */
function dayOfParts([a, b, c]: readonly number[], order: DateOrder): number | undefined {
  const [year, month, dayOfMonth] =
    order === "ymd" ? [a!, b!, c!] : order === "dmy" ? [c!, b!, a!] : [c!, a!, b!];
  if (year < YEARS[0] || year > YEARS[1] || month < 1 || month > 12) return undefined;
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
