import type { Bars } from "../quant/bars.ts";
import type { FileFaultReason, RejectReason, SourceCoin } from "./sources/source.ts";

/** A row, or a whole file, that was refused. `day` is null where it is not known. */
export interface Reject {
  readonly day: number | null;
  /** Line of the file, from 1, or position in what an exchange sent; 0 for the whole input. */
  readonly line: number;
  readonly reason: RejectReason;
  /** The row as it was read, cut to a bounded length; for a whole input the sentence that says why. */
  readonly raw: string;
}

/** One published value that the source has changed since. */
export interface Revision {
  readonly day: number;
  readonly column: "open" | "high" | "low" | "close" | "volume";
  readonly before: number;
  readonly after: number;
}

/** What the last snapshot of the same source holds of a coin. */
export interface PreviousHistory {
  readonly bars: Bars;
  /** 1 on days that took the last close. */
  readonly filled: Uint8Array;
  /** The refusals published with it: those of days that are not fetched again stay. */
  readonly rejects?: readonly Reject[];
  readonly restartedAt?: number | null;
  readonly daysBeforeGapLeftOut?: number;
}

/** Until when rows count. Made by `resolveAsOf`. */
export interface Horizon {
  /** The snapshot's last day. Later rows are left unread. */
  readonly asOf: number;
  /**
   * The current, incomplete UTC day: rows of it are dropped, later ones refused. Null when the
   * operator chose as_of, so that the same input gives the same output on any later day.
   */
  readonly today: number | null;
}

/** How a coin's history came about. */
export interface CoinQuality {
  /** Rows the source gave, readable or not. */
  readonly rowsRead: number;
  /** Days of this run's rows that were believed. */
  readonly accepted: number;
  /** Days in the bars that took the last close. */
  readonly filled: number;
  /** Refusals by reason. */
  readonly rejected: Readonly<Partial<Record<RejectReason, number>>>;
  /** Refusals counted above but not listed, because there were more than REJECTS_LISTED_MAX. */
  readonly rejectsUnlisted: number;
  /** Rows that repeated another one exactly. */
  readonly duplicatesDropped: number;
  /** Rows of the current, incomplete day. */
  readonly incompleteDropped: number;
  /** Rows later than as_of. */
  readonly afterAsOf: number;
  /** The day the history starts anew behind a gap longer than GAP_DAYS_MAX, else null. */
  readonly restartedAt: number | null;
  /** Days with a price that lie before that gap. */
  readonly daysBeforeGapLeftOut: number;
  /** The last day is more than STALE_AFTER_DAYS before as_of. */
  readonly stale: boolean;
  /** Published days that this run's rows did not hold and that were kept. */
  readonly carried: number;
  /** Published days that the source, which lists everything it has, no longer lists. */
  readonly withdrawn: number;
  /** Days that were filled when last published and now have a row. */
  readonly lateRows: number;
  /** Published days with a changed value. */
  readonly revisedDays: number;
  /** The first REVISIONS_LISTED_MAX changed values. */
  readonly revisions: readonly Revision[];
  /** Why nothing could be read of the coin in this run, else null. */
  readonly fault: FileFaultReason | null;
}

/** A coin's history as it is published. The bars are empty when nothing could be believed. */
export interface CleanCoin {
  readonly ticker: string;
  readonly bars: Bars;
  readonly filled: Uint8Array;
  /** By line. */
  readonly rejects: readonly Reject[];
  readonly quality: CoinQuality;
}

/** Open and close may lie outside [low, high] by this share of the bound: exchanges round. */
export const RANGE_TOLERANCE = 0.001;
/** A gap of up to this many days is filled; behind a longer one the history starts anew. */
export const GAP_DAYS_MAX = 3;
export const STALE_AFTER_DAYS = 2;
export const REJECTS_LISTED_MAX = 10_000;
export const REVISIONS_LISTED_MAX = 100;

export interface PriceRulesInput {
  readonly coin: SourceCoin;
  readonly previous?: PreviousHistory | undefined;
  readonly horizon: Horizon;
}

export function applyPriceRules(_input: PriceRulesInput): CleanCoin {
  throw new Error("in work");
}
