import type { Bars } from "../bars.ts";
import { civilOfDay, dayOfCivil, daysInMonth } from "../calendar.ts";

export type DcaFrequency = "weekly" | "monthly";

/**
 * A sequence of purchase rows that many plans share: a plan that starts on one of them buys on it
 * and on every later one. A coin's whole DCA table is seven weekly or 31 monthly tracks.
 */
export interface PurchaseTrack {
  /** Rows of the purchases, ascending. */
  readonly rows: Int32Array;
  /** 1 where a plan of this track may start, 0 where the row is another track's start. */
  readonly isStart: Uint8Array;
}

export const DAYS_PER_WEEK = 7;
const LONGEST_MONTH_DAYS = 31;

/** The tracks of a coin's history. Every row of the bars is the start of exactly one of them. */
export function purchaseTracks(bars: Bars, frequency: DcaFrequency): PurchaseTrack[] {
  if (bars.day.length === 0) return [];
  return frequency === "weekly" ? weeklyTracks(bars) : monthlyTracks(bars);
}

/** Every seventh row, from each of the first seven. */
function weeklyTracks(bars: Bars): PurchaseTrack[] {
  const tracks: PurchaseTrack[] = [];
  for (let first = 0; first < Math.min(DAYS_PER_WEEK, bars.day.length); first++) {
    const length = Math.ceil((bars.day.length - first) / DAYS_PER_WEEK);
    tracks.push({
      rows: Int32Array.from({ length }, (_, k) => first + k * DAYS_PER_WEEK),
      isStart: new Uint8Array(length).fill(1),
    });
  }
  return tracks;
}

/**
 * For each day of the month the row of that day in every month, or of the month's last day where
 * it has no such day: a plan of the 31st buys on 31 January, 29 February and again on 31 March.
 * On such a stand-in day no plan of the track starts: a plan that does is one of the 29th.
 */
function monthlyTracks(bars: Bars): PurchaseTrack[] {
  const rowCount = bars.day.length;
  const months = monthsOf(bars);
  const tracks: PurchaseTrack[] = [];
  for (let dayOfMonth = 1; dayOfMonth <= LONGEST_MONTH_DAYS; dayOfMonth++) {
    const rows: number[] = [];
    const isStart: number[] = [];
    for (const { firstRow, days } of months) {
      const row = firstRow + Math.min(dayOfMonth, days) - 1;
      if (row < 0 || row >= rowCount) continue;
      rows.push(row);
      isStart.push(dayOfMonth <= days ? 1 : 0);
    }
    tracks.push({ rows: Int32Array.from(rows), isStart: Uint8Array.from(isStart) });
  }
  return tracks;
}

/** The calendar months the bars reach into; the first may begin at a row before the first. */
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
