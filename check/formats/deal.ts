import type { LedgerTrade } from "../../quant/check/trade.ts";
import type { Side } from "../columns/sides.ts";

/**
 * A row of a list of trades or of fills, or a closed trade. NaN where the file doesn't say a number. A fill has its time
 * and its price for both entry and exit.
 */
export interface Deal extends Omit<LedgerTrade, "long" | "profit" | "reason" | "fee"> {
  /** The number of what was bought, which its sales repeat. */
  readonly lot: string | undefined;
  readonly side: Side;
  /** In money, as the file writes it. */
  readonly profit: number;
  /** Of the money put in, as the file writes it. */
  readonly percent: number;
  /** The money put in. */
  readonly value: number;
  /** Why it was closed, in the file's words. */
  readonly reason: string | undefined;
  /** In money, above 0 where it was paid. Funding is a part of it. */
  readonly fee: number;
  /** In coins. */
  readonly coinFee: number;
  /** The account after or before it, by each column that may say so. */
  readonly balances: readonly number[];
  /** Whether the size was held from entry to exit, so that prices can value it. */
  readonly isHeld: boolean;
}
