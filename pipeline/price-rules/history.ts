import type { Bars } from "../../quant/bars.ts";
import { emptyBars } from "../../quant/bars.ts";
import type { Revision } from "../../snapshots/manifest.ts";
import type { RawRow } from "./raw-row.ts";
import { GAP_DAYS_MAX, REVISIONS_LISTED_MAX } from "./limits.ts";
import type { Reject } from "./screen.ts";

/** What the last snapshot of the same source holds of a coin. */
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

interface Merged {
  readonly rows: readonly BarRow[];
  readonly carried: number;
  readonly withdrawn: number;
  readonly lateRows: number;
  readonly revisedDays: number;
  readonly revisions: readonly Revision[];
}

/** Fewer weekends, from a Friday to a Monday, may be missing by chance. */
const WEEKENDS_MIN = 3;

const COLUMNS = ["open", "high", "low", "close", "volume"] as const;

/**
 * Merges published days and new rows, both ascending, into one history. A new row wins over a published
 * day: it is a revision where a value differs, and a late row where the day was filled. A published day
 * without a new row stays, unless `isWithdrawn` says that the source took it back.
 */
export function mergeHistory(
  fresh: readonly BarRow[],
  previous: PreviousHistory | undefined,
  { asOf, isWithdrawn }: { asOf: number; isWithdrawn: (day: number) => boolean },
): Merged {
  if (previous === undefined) {
    return { rows: fresh, carried: 0, withdrawn: 0, lateRows: 0, revisedDays: 0, revisions: [] };
  }
  const rowOf = new Map(fresh.map((row) => [row.day, row]));
  const kept: BarRow[] = [];
  const revisions: Revision[] = [];
  const counts = { withdrawn: 0, lateRows: 0, revisedDays: 0 };
  for (const [index, day] of previous.bars.day.entries()) {
    if (day > asOf) break;
    const row = rowOf.get(day);
    const wasFilled = previous.filled[index] === 1;
    if (wasFilled) {
      if (row !== undefined) counts.lateRows++;
    } else if (row === undefined) {
      if (isWithdrawn(day)) counts.withdrawn++;
      else kept.push(barAt(previous.bars, index));
    } else {
      const changes = changesOf(barAt(previous.bars, index), row);
      if (changes.length > 0) counts.revisedDays++;
      revisions.push(...changes);
    }
  }
  const rows = kept.length === 0 ? fresh : [...kept, ...fresh].sort((a, b) => a.day - b.day);
  const listed = revisions.slice(0, REVISIONS_LISTED_MAX);
  return { rows, carried: kept.length, ...counts, revisions: listed };
}

/** Row at which the history starts: the first after the last gap longer than GAP_DAYS_MAX. */
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

/** Whether days leave out every weekend, as those of a stock exchange do: none is in them, and some were skipped. */
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
  const first = rows[0];
  const last = rows.at(-1);
  const days = first === undefined || last === undefined ? 0 : last.day - first.day + 1;
  const bars = emptyBars(days);
  const filled = new Uint8Array(days);
  let next = 0;
  for (const row of rows) {
    const index = row.day - first!.day; // the loop has a row, so there is a first one
    while (next < index) {
      setBar(bars, next, flatAt(bars.day[next - 1]! + 1, bars.close[next - 1]!));
      filled[next] = 1;
      next++;
    }
    setBar(bars, next, row);
    next++;
  }
  return { bars, filled };
}

function flatAt(day: number, close: number): BarRow {
  return { day, open: close, high: close, low: close, close, volume: 0 };
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
  bars.day[index] = row.day;
  bars.open[index] = row.open;
  bars.high[index] = row.high;
  bars.low[index] = row.low;
  bars.close[index] = row.close;
  bars.volume[index] = row.volume;
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
