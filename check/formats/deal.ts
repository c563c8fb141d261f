import type { Side } from "../columns/sides.ts";

/** A row of a list of trades or of fills; a closed trade. NaN for a number that the file doesn't say. */
export interface Deal {
  readonly variant: string;
  readonly line: number;
  /** Of a fill both are its time. */
  readonly entry: number;
  readonly exit: number;
  readonly symbol: string | undefined;
  readonly side: Side;
  /** Not below 0. */
  readonly size: number;
  readonly entryPrice: number;
  /** Of a fill, its price. */
  readonly exitPrice: number;
  /** As the file writes it: in money, and of the money put in. */
  readonly profit: number;
  readonly percent: number;
  /** The money put in. */
  readonly value: number;
  /** In money, above 0 where it was paid. */
  readonly fee: number;
  /** In coins. */
  readonly coinFee: number;
  /** The account after it, or before it, by each column that may be that. */
  readonly balances: readonly number[];
  /** Whether the size is what was held from entry to exit, which prices can value. */
  readonly isHeld: boolean;
}
