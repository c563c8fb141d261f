import { dayOfDate } from "../../quant/calendar.ts";
import { timeOf, type DateOrder } from "../../files/times.ts";
import type { RowFaultReason } from "../price-rules/raw-row.ts";

/** The UTC day of a row, or why it has none. */
export type ReadDay = number | Extract<RowFaultReason, "invalid_date" | "not_a_utc_day">;

const DAY_SECONDS = 86_400;
const MINUTE_SECONDS = 60;
/** A date that ends in its year: with points, the day is first. */
const ENDS_IN_YEAR = /^\d{1,2}[-/]\d{1,2}[-/]\d{4}(?!\d)/;
const EVERY_SUCH_DATE = /(?<=^|[,;\t"])(\d{1,2})[-/](\d{1,2})[-/]\d{4}(?!\d)/gm;
/** A month, which is not a day, and three numbers of which any may be the year. */
const UNCLEAR = /^(?:\d{4}-\d\d|\d{1,2}([-/.])\d{1,2}\1\d{2})(?![\d-])/;

/**
 * Reads the dates of one file, as a check reads them. In `06/02/2024` the file's other dates decide whether the day or
 * the month comes first: a number above 12 is a day. If no date has one, neither is assumed.
 */
export function dayReader(text: string): (cell: string) => ReadDay {
  let order: DateOrder | "unknown" | undefined;
  return (cell) => {
    const day = dayOfDate(cell);
    if (day !== undefined) return day;
    const known = ENDS_IN_YEAR.test(cell) ? (order ??= orderOf(text)) : "ymd";
    const time = known === "unknown" || UNCLEAR.test(cell) ? undefined : timeOf(cell, known);
    return time === undefined ? "invalid_date" : wholeDay(time.seconds - (time.offsetSeconds ?? 0));
  };
}

/** What comes first in a file's dates that end in their year. */
function orderOf(text: string): "dmy" | "mdy" | "unknown" {
  const dates = [...text.matchAll(EVERY_SUCH_DATE)].map(([, ...numbers]) => numbers.map(Number));
  const dayFirst = dates.some(([first = 0]) => first > 12);
  const monthFirst = dates.some(([, second = 0]) => second > 12);
  if (dayFirst === monthFirst) return "unknown";
  return dayFirst ? "dmy" : "mdy";
}

/** The day that begins at an instant, or that ends less than a minute after it. */
function wholeDay(seconds: number): ReadDay {
  const day = Math.floor(seconds / DAY_SECONDS);
  const into = seconds - day * DAY_SECONDS;
  return into === 0 || into >= DAY_SECONDS - MINUTE_SECONDS ? day : "not_a_utc_day";
}
