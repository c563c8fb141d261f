import type { BoardCoin } from "../board.ts";

/**
 * Why a row, or all of a coin's input, was refused. The word is published in the `rejects` table and never
 * changes its meaning.
 */
export type RejectReason = RowFaultReason | FileFaultReason | RuleReason;

/** The text of one row could not be read as a bar, or the source does not vouch for it. */
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

/** The row was read, and a price rule refuses it (pipeline/price-rules.ts). */
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
  /** What was expected and what came; of several faults of a file, the first for each reason has it. */
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
   * True when `rows` is all that the source has of the coin, so that a published day which it no longer
   * lists was withdrawn. False when `rows` holds only what was requested, from `fetchedFrom` on.
   */
  readonly whole: boolean;
  /** First requested day; null when everything was requested. */
  readonly fetchedFrom: number | null;
  /** What a person should know of how the rows were read, a sentence each. */
  readonly notices?: readonly string[];
}

export interface FetchRange {
  /** The first day that is not known yet, or null when none is known. */
  readonly fromDay: number | null;
  /** The last wanted day: the snapshot's as_of. */
  readonly toDay: number;
}

/** A source's summary of the whole run, once every coin was fetched. */
export interface SourceSummary {
  /** Board coins of which something was read. */
  readonly served: number;
  /** Board coins that the source does not have: no file, or a symbol that is not listed. */
  readonly missing: readonly string[];
  /** Board coins whose input exists but could not be read, with a sentence that says why. */
  readonly failed: readonly { readonly ticker: string; readonly message: string }[];
  /** Files that belong to no board coin and were left alone. */
  readonly otherFiles: number;
  /** What to know of how coins were read. */
  readonly notices?: readonly { readonly ticker: string; readonly text: string }[];
}

/** Where daily prices come from. Made by `openSource`; holds nothing that outlives the process. */
export interface PriceSource {
  /**
   * Names the history: `csv`, `demo`, `exchange:binance`. Published bars are continued only under the same
   * name.
   */
  readonly name: string;
  /** The prices are made up. */
  readonly synthetic: boolean;
  /** How many fetches at once are worthwhile. More is allowed: an exchange queues them itself. */
  readonly parallel: number;
  /** The newest day, not later than `limit`, that the source has for any board coin; null for none. */
  newestDay(limit: number): Promise<number | null>;
  /** All there is of one coin in the range. Rejects only on a defect: a coin's failure is its `fault`. */
  fetch(coin: BoardCoin, range: FetchRange): Promise<SourceCoin>;
  /** Called once when every coin was fetched. Throws InputError when too many failed to go on. */
  conclude(): SourceSummary;
}

/** Refused rows are kept for a person to look at, not to be restored. */
export const RAW_LENGTH_MAX = 200;

/** The part of a refused row that is kept: whole characters, at most RAW_LENGTH_MAX code units. */
export function boundedRaw(raw: string, lengthMax: number = RAW_LENGTH_MAX): string {
  if (raw.length <= lengthMax) return raw;
  const cutsPair = /[\uD800-\uDBFF]/.test(raw.charAt(lengthMax - 2));
  return `${raw.slice(0, lengthMax - (cutsPair ? 2 : 1))}…`;
}
