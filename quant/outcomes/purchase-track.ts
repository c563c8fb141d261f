import type { Bars } from "../bars.ts";
import { civilOfDay, dayOfCivil, daysInMonth } from "../calendar.ts";

/** Days between the purchases of each frequency; a month has its own number of days. */
export const GAP_DAYS = { daily: 1, weekly: 7, biweekly: 14, monthly: null } as const;

export type DcaFrequency = keyof typeof GAP_DAYS;

/** The frequencies of which a snapshot has a table. */
export type StoredFrequency = "weekly" | "monthly";

/**
 * A sequence of purchase rows shared by many schedules: a schedule that starts on one of them buys there and on
 * every later one. One daily, seven weekly, 14 biweekly or 31 monthly tracks make up a coin's whole DCA table.
 */
export interface PurchaseTrack {
  /** Rows of the purchases, ascending. */
  readonly rows: Int32Array;
  /** 1 where a schedule of this track may start, 0 where one that starts belongs to another track. */
  readonly isStart: Uint8Array;
}

const LONGEST_MONTH_DAYS = 31;

/** The tracks of a coin's history. Every row of the bars is the start of exactly one of them. */
export function purchaseTracks(bars: Bars, frequency: DcaFrequency): PurchaseTrack[] {
  if (bars.day.length === 0) return [];
  const gapDays = GAP_DAYS[frequency];
  return gapDays === null ? monthlyTracks(bars) : evenTracks(bars, gapDays);
}

/** Every seventh row, starting from each of the first seven; likewise for other gaps. */
function evenTracks(bars: Bars, gapDays: number): PurchaseTrack[] {
  return Array.from({ length: Math.min(gapDays, bars.day.length) }, (_, first) => {
    const length = Math.ceil((bars.day.length - first) / gapDays);
    return {
      rows: Int32Array.from({ length }, (_, k) => first + k * gapDays),
      isStart: new Uint8Array(length).fill(1),
    };
  });
}

/**
 * One track per day of the month: that day's row in every month, or the row of the month's last day where
 * the month is too short. A schedule of the 31st buys on 31 January, 29 February and again on 31 March. No schedule
 * of the track starts on such a substitute day: a schedule that starts on 29 February is one of the 29th.
 */
function monthlyTracks(bars: Bars): PurchaseTrack[] {
  const months = monthsOf(bars);
  return Array.from({ length: LONGEST_MONTH_DAYS }, (_, index) => {
    const dayOfMonth = index + 1;
    const rows: number[] = [];
    const isStart: number[] = [];
    for (const { firstRow, days } of months) {
      const row = firstRow + Math.min(dayOfMonth, days) - 1;
      if (row < 0 || row >= bars.day.length) continue;
      rows.push(row);
      isStart.push(dayOfMonth <= days ? 1 : 0);
    }
    return { rows: Int32Array.from(rows), isStart: Uint8Array.from(isStart) };
  });
}

/**
 * The calendar months that the bars reach into. The first month may begin before the first row; its
 * `firstRow` is then negative.
 */
function monthsOf({ day }: Bars): { firstRow: number; days: number }[] {
  const months: { firstRow: number; days: number }[] = [];
  let { year, month } = civilOfDay(day[0]!);
  let firstRow = dayOfCivil({ year, month, dayOfMonth: 1 }) - day[0]!;
  while (firstRow < day.length) {
    const days = daysInMonth(year, month);
    months.push({ firstRow, days });
    firstRow += days;
    year += month === 12 ? 1 : 0;
    month = (month % 12) + 1;
  }
  return months;
}
