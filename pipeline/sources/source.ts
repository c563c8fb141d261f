import type { BoardCoin } from "../board.ts";
import type { SourceCoin } from "../price-rules/raw-row.ts";

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
  /** What a person should know about how coins were read. */
  readonly notices?: readonly { readonly ticker: string; readonly text: string }[];
}

/** Where daily prices come from. Made by `openSource`; holds nothing that outlives the process. */
export interface PriceSource {
  /** Names the history: `csv`, `demo`, `exchange:binance`. Published bars are continued only under the same name. */
  readonly name: string;
  /** The prices are made up. */
  readonly synthetic: boolean;
  /** How many fetches at once are worthwhile. More are allowed: an exchange queues them itself. */
  readonly parallel: number;
  /** The newest day, not later than `limit`, that the source has for any board coin; null for none. */
  newestDay(limit: number): Promise<number | null>;
  /** One coin's rows in the range. Rejects only on a defect: a failure of the coin is its `fault`. */
  fetch(coin: BoardCoin, range: FetchRange): Promise<SourceCoin>;
  /** Called once when every coin was fetched. Throws InputError when too many failed to go on. */
  conclude(): SourceSummary;
}
