import { DAYS_PER_YEAR } from "../calendar.ts";
import { median } from "../sample-statistics.ts";
import { DAY_SECONDS, dayOf } from "./ordered-rows.ts";

const TRADING_DAYS_PER_YEAR = 252;
const WEEKS_PER_YEAR = 52;
const MONTHS_PER_YEAR = 12;
/** Share of bars at weekends, of 2/7 in a market that never closes, from which weekends count as traded. */
const WEEKEND_SHARE_MIN = 0.1;
/** 1970-01-01 was a Thursday; Saturday and Sunday are days 2 and 3 of the week that begins on it. */
const WEEKEND = [2, 3];

/** Median distance of consecutive instants, in seconds. */
export function medianSpacing(instants: Float64Array): number {
  return median(instants.subarray(1).map((instant, row) => instant - instants[row]!));
}

/** Whether a day is a Saturday or Sunday. */
export function isWeekend(day: number): boolean {
  return WEEKEND.includes(((day % 7) + 7) % 7);
}

/** Whether the market of these bars is open at weekends. */
export function tradesAtWeekends(instants: Float64Array): boolean {
  const atWeekends = instants.filter((instant) => isWeekend(dayOf(instant)));
  return atWeekends.length >= WEEKEND_SHARE_MIN * instants.length;
}

/**
 * Bars in a year, and the reason for that number: of daily bars 365 where weekends hold bars and 252 trading days
 * elsewhere, of coarser bars by their spacing.
 */
export function periodsPerYear(spacing: number, weekends: boolean) {
  const days = spacing / DAY_SECONDS;
  if (days < 1.5) {
    return weekends
      ? { periods: DAYS_PER_YEAR, reason: "daily bars, weekends included" }
      : { periods: TRADING_DAYS_PER_YEAR, reason: "daily bars without weekends" };
  }
  if (days === 7) return { periods: WEEKS_PER_YEAR, reason: "weekly bars" };
  if (days >= 28 && days <= 31) return { periods: MONTHS_PER_YEAR, reason: "monthly bars" };
  return { periods: DAYS_PER_YEAR / days, reason: `a bar every ${Number(days.toFixed(3))} days` };
}
