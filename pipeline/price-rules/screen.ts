import { dateOfDay } from "../../quant/calendar.ts";
import type { Horizon } from "./raw-row.ts";
import { boundedRaw } from "./raw-row.ts";
import type { RawRow, RejectReason, RuleReason, SourceCoin } from "./raw-row.ts";
import { PRICE_MAX, PRICE_MIN, RANGE_TOLERANCE, VOLUME_MAX } from "./limits.ts";

/** A row, or a whole file, that was refused. `day` is null when it is not known. */
export interface Reject {
  readonly day: number | null;
  /** Line of the file, from 1, or position in the exchange's answer; 0 for the whole input. */
  readonly line: number;
  readonly reason: RejectReason;
  /** The row as read, cut to a limited length; for a whole input, a sentence that says why. */
  readonly raw: string;
  /** What was expected and what came, if this run read the row. Not published. */
  readonly why?: string;
}

interface Screened {
  /** Rows whose own values are plausible, in the order read. When today is known, rows after as_of are among them. */
  readonly rows: readonly RawRow[];
  readonly rejects: readonly Reject[];
  readonly incompleteDropped: number;
  readonly afterAsOf: number;
}

/**
 * Refuses rows that are wrong by themselves. Rows are compared with one another only afterwards (`days.ts`), so that
 * an impossible row does not cast doubt on a possible one of the same day.
 */
export function screen(coin: SourceCoin, horizon: Horizon): Screened {
  const rows: RawRow[] = [];
  const rejects: Reject[] = [];
  let incompleteDropped = 0;
  let afterAsOf = 0;
  for (const row of coin.rows) {
    const standing = placeOf(row.day, horizon);
    if (standing === "unread") afterAsOf++;
    else if (standing === "incomplete") incompleteDropped++;
    else if (standing === "future") rejects.push(rejectOf(row, "future_day"));
    else {
      const reason = refusalOf(row);
      if (reason !== undefined) rejects.push(rejectOf(row, reason));
      else rows.push(row);
    }
  }
  for (const fault of coin.faults) {
    const unread = fault.day !== null && placeOf(fault.day, horizon) === "unread";
    if (unread) afterAsOf++;
    else rejects.push({ ...fault, raw: boundedRaw(fault.raw) });
  }
  return { rows, rejects, incompleteDropped, afterAsOf };
}

/** Why a bar cannot be true, whatever its neighbours, or undefined. Faults of prices come before those of volume. */
export function refusalOf(row: RawRow): RuleReason | undefined {
  const { open, high, low, close, volume } = row;
  if (![open, high, low, close].every(Number.isFinite)) return "price_not_finite";
  if (!(open > 0 && high > 0 && low > 0 && close > 0)) return "price_not_positive";
  const isTraded =
    Math.min(open, high, low, close) >= PRICE_MIN && Math.max(open, high, low, close) <= PRICE_MAX;
  if (!isTraded) return "price_out_of_range";
  if (!Number.isFinite(volume)) return "volume_not_finite";
  if (volume < 0) return "volume_negative";
  if (volume > VOLUME_MAX) return "volume_out_of_range";
  if (high < low) return "high_below_low";
  const highest = high * (1 + RANGE_TOLERANCE);
  const lowest = low * (1 - RANGE_TOLERANCE);
  if (open > highest || open < lowest) return "open_outside_range";
  if (close > highest || close < lowest) return "close_outside_range";
  return undefined;
}

/** What to do about rows that are refused because of other rows. */
export const WHAT_TO_DO: Readonly<Partial<Record<RejectReason, string>>> = {
  out_of_order: "sort the rows by date",
  conflicting_duplicate: "there must be one row a day, and the rows of this day differ",
};

export function rejectOf(row: RawRow, reason: RejectReason): Reject {
  return { day: row.day, line: row.line, reason, raw: row.raw ? boundedRaw(row.raw) : textOf(row) };
}

/**
 * When today is known, every complete day is read, so that a refused row is recorded even if it is newer than any
 * accepted one. With a chosen as_of, later rows are ignored.
 */
function placeOf(
  day: number,
  { asOf, today }: Horizon,
): "read" | "unread" | "incomplete" | "future" {
  if (today === null) return day > asOf ? "unread" : "read";
  if (day > today) return "future";
  return day === today ? "incomplete" : "read";
}

/** A row that did not come as text, as a line of CSV. */
function textOf({ day, open, high, low, close, volume }: RawRow): string {
  return [dateOfDay(day), open, high, low, close, volume].join(",");
}
