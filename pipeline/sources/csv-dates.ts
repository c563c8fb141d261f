import { dayOfDate } from "../../quant/calendar.ts";
import { DAY_MS } from "./as-of.ts";
import type { RowFaultReason } from "../price-rules/raw-row.ts";

/** The UTC day of a row, or why it has none. */
export type ReadDay = number | Extract<RowFaultReason, "invalid_date" | "not_a_utc_day">;

type DateOrder = "day" | "month" | "unknown";

const MINUTE_MS = 60_000;
const TIME_PATTERN =
  /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(?:Z| ?UTC|([+-])(\d\d):?(\d\d))?$/;
/** Seconds, milliseconds or microseconds since 1970, of the years 2001 to 2286: the number of digits decides which. */
const UNIX_PATTERN = /^(?:\d{10}|\d{13}|\d{16})(?:\.0+)?$/;
const YEAR_FIRST_PATTERN = /^(\d{4})([/.]?)(\d\d)\2(\d\d)$/;
const NUMBERS_PATTERN = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;
const EVERY_NUMBERS_PATTERN = /(?<=^|[,;\t"])(\d{1,2})[-/.](\d{1,2})[-/.]\d{4}(?=$|[,;\t"\r])/gm;
const NAMED_PATTERN = /^(?:(\d{1,2})[ -])?([a-z]{3})[a-z]*\.?[ -](?:(\d{1,2}),? )?(\d{4})$/i;
const MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

/**
 * Reads the dates of one file. In `06/02/2024` the file's other dates decide whether the day or the month comes
 * first: a number above 12 is a day. If no date has one, neither is assumed.
 */
export function dayReader(text: string): (cell: string) => ReadDay {
  let order: DateOrder | undefined;
  return (cell) => dayOfDate(cell) ?? dayOfOtherForm(cell, () => (order ??= orderOf(text)));
}

function dayOfOtherForm(cell: string, order: () => DateOrder): ReadDay {
  if (UNIX_PATTERN.test(cell)) return wholeDay(unixMs(Number(cell)));
  const [, date = "", hours, minutes, seconds = 0, sign, zoneHours = 0, zoneMinutes = 0] =
    TIME_PATTERN.exec(cell) ?? [];
  if (hours !== undefined) {
    const day = dayOfDate(date) ?? NaN;
    const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === "-" ? -1 : 1);
    const minute = Number(hours) * 60 + Number(minutes) - zone;
    return wholeDay(day * DAY_MS + minute * MINUTE_MS + Number(seconds) * 1000);
  }
  return dayOfDate(isoDateOf(cell, order) ?? "") ?? "invalid_date";
}

/** `YYYY-MM-DD` of a date in another form. */
function isoDateOf(cell: string, order: () => DateOrder): string | undefined {
  const date = (year = "", month = "", day = "") =>
    `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const yearFirst = YEAR_FIRST_PATTERN.exec(cell);
  if (yearFirst !== null) return date(yearFirst[1], yearFirst[3], yearFirst[4]);
  const numbers = NUMBERS_PATTERN.exec(cell);
  if (numbers !== null) {
    const [, one, other, year] = numbers;
    if (order() === "unknown") return undefined;
    return order() === "day" ? date(year, other, one) : date(year, one, other);
  }
  const [, before, name = "", after, year] = NAMED_PATTERN.exec(cell) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) / 3 + 1;
  return date(year, String(month), before ?? after);
}

/** What comes first in a file's dates before the year. */
function orderOf(text: string): DateOrder {
  let dayFirst = false;
  let monthFirst = false;
  for (const [, one, other] of text.matchAll(EVERY_NUMBERS_PATTERN)) {
    dayFirst ||= Number(one) > 12;
    monthFirst ||= Number(other) > 12;
  }
  if (dayFirst === monthFirst) return "unknown";
  return dayFirst ? "day" : "month";
}

function unixMs(value: number): number {
  if (value < 1e11) return value * 1000;
  return value < 1e14 ? value : value / 1000;
}

/** The day that begins at an instant, or that ends less than a minute after it. */
function wholeDay(ms: number): ReadDay {
  if (Number.isNaN(ms)) return "invalid_date";
  const day = Math.floor(ms / DAY_MS);
  const into = ms - day * DAY_MS;
  return into === 0 || into >= DAY_MS - MINUTE_MS ? day : "not_a_utc_day";
}
