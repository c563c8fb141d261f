import { emptyBars, type Bars } from "../../quant/bars.ts";
import type { Revision } from "../../snapshots/manifest.ts";
import type { RawRow } from "./raw-row.ts";
import { GAP_DAYS_MAX, REVISIONS_LISTED_MAX } from "./limits.ts";
import type { Reject } from "./screen.ts";

/** A coin's history in the last snapshot of the same source. */
export interface PreviousHistory {
  readonly bars: Bars;
  /** 1 on days that were filled with the last close. */
  readonly filled: Uint8Array;
  /** The refusals published with it; those of days that are not fetched again are kept. */
  readonly rejects?: readonly Reject[];
  readonly restartedAt?: number | null;
  readonly daysBeforeGapLeftOut?: number;
}

/** A day with a price. */
type BarRow = Omit<RawRow, "line" | "raw">;

/** Fewer weekends, from a Friday to a Monday, may be absent by chance. */
const WEEKENDS_MIN = 3;

const COLUMNS = ["open", "high", "low", "close", "volume"] as const;

/**
 * Merges published days and new rows, both ascending, into one history. A new row replaces a published day: as a
 * revision if a value differs, or as a late row if the day was filled. A published day without a new row stays,
 * unless the source has withdrawn it.
 */
export function mergeHistory(
  fresh: readonly BarRow[],
  previous: PreviousHistory | undefined,
  { asOf, isWithdrawn }: { asOf: number; isWithdrawn: (day: number) => boolean },
) {
  const rowOf = new Map(fresh.map((row) => [row.day, row]));
  const kept: BarRow[] = [];
  const revisions: Revision[] = [];
  const counts = { withdrawn: 0, lateRows: 0, revisedDays: 0 };
  const { bars = emptyBars(0), filled } = previous ?? {};
  for (const [index, day] of bars.day.entries()) {
    if (day > asOf) break;
    const row = rowOf.get(day);
    const wasFilled = filled?.[index] === 1;
    if (wasFilled) {
      if (row !== undefined) counts.lateRows++;
    } else if (row === undefined) {
      if (isWithdrawn(day)) counts.withdrawn++;
      else kept.push(barAt(bars, index));
    } else {
      const changes = changesOf(barAt(bars, index), row);
      if (changes.length > 0) counts.revisedDays++;
      revisions.push(...changes);
    }
  }
  const merged = kept.length === 0 ? fresh : [...kept, ...fresh].sort((a, b) => a.day - b.day);
  const listed = revisions.slice(0, REVISIONS_LISTED_MAX);
  return { merged, carried: kept.length, ...counts, revisions: listed };
}

/** Row at which the history starts: the first one after the last gap longer than GAP_DAYS_MAX. */
export function startOfHistory(rows: readonly BarRow[]): number {
  const skipsWeekends = hasWeekdaysOnly(rows.map(({ day }) => day));
  for (let index = rows.length - 1; index > 0; index--) {
    const [before, after] = [rows[index - 1]!.day, rows[index]!.day]; // index >= 1
    const missing = after - before - 1;
    if (missing <= GAP_DAYS_MAX) continue;
    if (!skipsWeekends || weekdaysBetween(before, after) > GAP_DAYS_MAX) return index;
  }
  return 0;
}

/** Whether days leave out every weekend, as those of a stock exchange do. */
export function hasWeekdaysOnly(days: readonly number[]): boolean {
  if (days.some(isWeekend)) return false;
  const skipped = days.filter((day, index) => isWeekend(day - 1) && days[index - 1] === day - 3);
  return skipped.length >= WEEKENDS_MIN;
}

function weekdaysBetween(before: number, after: number): number {
  let count = 0;
  for (let day = before + 1; day < after; day++) if (!isWeekend(day)) count++;
  return count;
}

function isWeekend(day: number): boolean {
  return (day + 5) % 7 < 2; // day 0 is a Thursday
}

/** Bars without a gap: a missing day gets the last close and volume 0, and is marked as filled. */
export function layOut(rows: readonly BarRow[]): { bars: Bars; filled: Uint8Array } {
  const firstDay = rows[0]?.day ?? 0;
  const days = rows.length === 0 ? 0 : rows.at(-1)!.day - firstDay + 1;
  const bars = emptyBars(days);
  const filled = new Uint8Array(days);
  let next = 0;
  for (const row of rows) {
    for (; next < row.day - firstDay; next++) {
      const [day, close] = [bars.day[next - 1]! + 1, bars.close[next - 1]!];
      setBar(bars, next, { day, open: close, high: close, low: close, close, volume: 0 });
      filled[next] = 1;
    }
    setBar(bars, next++, row);
  }
  return { bars, filled };
}

function changesOf(before: BarRow, after: BarRow): Revision[] {
  return COLUMNS.filter((column) => before[column] !== after[column]).map((column) => ({
    day: after.day,
    column,
    before: before[column],
    after: after[column],
  }));
}

function setBar(bars: Bars, index: number, row: BarRow): void {
  for (const column of ["day", ...COLUMNS] as const) bars[column][index] = row[column];
}

function barAt(bars: Bars, index: number): BarRow {
  return {
    day: bars.day[index]!,
    open: bars.open[index]!,
    high: bars.high[index]!,
    low: bars.low[index]!,
    close: bars.close[index]!,
    volume: bars.volume[index]!,
  };
}
