import { civilOfDay, dayOfCivil } from "./calendar.ts";

/**
 * A calendar month as one integer, year x 12 + (month - 1), so that months can be counted and compared. The
 * dataset and the index are versioned by month: `2025-12` is what was known at the close of that month's
 * last day.
 */
export type Month = number;

const MONTH_PATTERN = /^(\d{4})-(0[1-9]|1[0-2])$/;

export function monthOfDay(day: number): Month {
  const { year, month } = civilOfDay(day);
  return year * 12 + month - 1;
}

export function firstDayOfMonth(month: Month): number {
  return dayOfCivil({ year: Math.floor(month / 12), month: (month % 12) + 1, dayOfMonth: 1 });
}

export function lastDayOfMonth(month: Month): number {
  return firstDayOfMonth(month + 1) - 1;
}

/**
 * The last month that is complete at the close of `day`: the month of `day` itself when it is that month's
 * last.
 */
export function lastCompleteMonth(day: number): Month {
  const month = monthOfDay(day);
  return day === lastDayOfMonth(month) ? month : month - 1;
}

/** `YYYY-MM`. */
export function monthText(month: Month): string {
  const number = String((month % 12) + 1).padStart(2, "0");
  return `${String(Math.floor(month / 12)).padStart(4, "0")}-${number}`;
}

/** Month of a `YYYY-MM` text, or undefined when the text is not one. */
export function monthOfText(text: string): Month | undefined {
  const match = MONTH_PATTERN.exec(text);
  return match === null ? undefined : Number(match[1]) * 12 + Number(match[2]) - 1;
}
