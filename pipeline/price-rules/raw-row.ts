/**
 * Why a row, or all of a coin's input, was refused. The word is published in the `rejects` table and never changes
 * its meaning.
 */
export type RejectReason = RowFaultReason | FileFaultReason | RuleReason;

/** The row could not be read as a bar, or may be unfinished. */
export type RowFaultReason =
  | "wrong_cell_count"
  | "invalid_date"
  | "invalid_number"
  | "row_too_long"
  | "unterminated_row"
  | "not_a_utc_day"
  | "last_day_unfinished";

/** Nothing of the coin could be read. */
export type FileFaultReason =
  | "file_missing"
  | "not_a_file"
  | "file_unreadable"
  | "file_too_large"
  | "file_empty"
  | "header_invalid"
  | "too_many_refused"
  | "symbol_unknown"
  | "fetch_failed";

/** The row was read, and a price rule refuses it. */
export type RuleReason =
  | "price_not_finite"
  | "price_not_positive"
  | "price_out_of_range"
  | "volume_not_finite"
  | "volume_negative"
  | "volume_out_of_range"
  | "high_below_low"
  | "open_outside_range"
  | "close_outside_range"
  | "future_day"
  | "conflicting_duplicate"
  | "out_of_order";

/** One row as read. Nothing is checked except that the text holds numbers. */
export interface RawRow {
  readonly day: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Line of the file, from 1, or position in the exchange's answer. */
  readonly line: number;
  /** The text as read, if the source is text. */
  readonly raw?: string;
}

/** A row that could not be read. `day` is set when only the numbers are at fault. */
export interface RowFault {
  readonly line: number;
  readonly day: number | null;
  readonly reason: RowFaultReason;
  /** At most RAW_LENGTH_MAX characters of the row. */
  readonly raw: string;
  /** What was expected and what came; only for the first fault of each reason in a file. */
  readonly why?: string;
}

/** Why nothing was read of a coin: a code and a sentence. */
export interface FileFault {
  readonly reason: FileFaultReason;
  readonly message: string;
}

/** What a source has of one coin. With a `fault` there are no rows. */
export interface SourceCoin {
  readonly ticker: string;
  readonly rows: readonly RawRow[];
  readonly faults: readonly RowFault[];
  readonly fault: FileFault | null;
  /**
   * True when `rows` is all that the source has of the coin, so that a published day which it no longer lists was
   * withdrawn. False when `rows` holds only what was requested, from `fetchedFrom` on.
   */
  readonly whole: boolean;
  /** First requested day; null when everything was requested. */
  readonly fetchedFrom: number | null;
  /** What a person should know about how the rows were read, a sentence each. */
  readonly notices?: readonly string[];
}

/** Enough of a refused row for a person to recognise it. */
export const RAW_LENGTH_MAX = 200;

/** The part of a refused row that is kept: whole characters, at most RAW_LENGTH_MAX code units. */
export function boundedRaw(raw: string, lengthMax: number = RAW_LENGTH_MAX): string {
  if (raw.length <= lengthMax) return raw;
  const cutsPair = /[\uD800-\uDBFF]/.test(raw.charAt(lengthMax - 2));
  return `${raw.slice(0, lengthMax - (cutsPair ? 2 : 1))}…`;
}

/** The range of days whose rows count. */
export interface Horizon {
  /** The snapshot's last day. Later rows are not used. */
  readonly asOf: number;
  /**
   * The current, incomplete UTC day, whose rows are dropped; later ones are refused. Null when the operator chose
   * as_of, so that the same input gives the same output on any later day.
   */
  readonly today: number | null;
}
