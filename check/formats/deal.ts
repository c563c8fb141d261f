import type { Side } from "../columns/sides.ts";

/** A row of a list of trades or of fills, or a closed trade. NaN where the file doesn't say a number. */
export interface Deal {
  readonly variant: string;
  readonly line: number;
  /** Unix seconds. For a fill, both are its time. */
  readonly entry: number;
  readonly exit: number;
  readonly symbol: string | undefined;
  /** The number of what was bought, which its sales repeat. */
  readonly lot: string | undefined;
  readonly side: Side;
  /** Not below 0. */
  readonly size: number;
  readonly entryPrice: number;
  /** For a fill, its price. */
  readonly exitPrice: number;
  /** In money, as the file writes it. */
  readonly profit: number;
  /** Of the money put in, as the file writes it. */
  readonly percent: number;
  /** The money put in. */
  readonly value: number;
  /** In money, above 0 where it was paid. */
  readonly fee: number;
  /** What of the fee is funding or interest: above 0 where it was paid. */
  readonly funding: number;
  /** Why it was closed, in the file's words. */
  readonly reason: string | undefined;
  /** In coins. */
  readonly coinFee: number;
  /** The account after or before it, by each column that may say so. */
  readonly balances: readonly number[];
  /** Whether the size was held from entry to exit, so that prices can value it. */
  readonly isHeld: boolean;
}
