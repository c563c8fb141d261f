import { dayOf } from "./ordered-rows.ts";
import { PanelRefused } from "./panel.ts";

/** One closed trade of a backtest. Times are Unix seconds. */
export interface Trade {
  readonly variant: string;
  readonly entry: number;
  readonly exit: number;
  /** In money, after fees. */
  readonly profit: number;
  /** What was held, where the file has it. */
  readonly position?: TradePosition | undefined;
  /** Why there is no position, where the reader of the file knows. */
  readonly unmarked?: string | undefined;
}

export interface TradePosition {
  /** As the tool writes it: `BTC/USDT`. */
  readonly symbol?: string | undefined;
  /** In coins, above 0. */
  readonly size: number;
  readonly entryPrice: number;
  readonly exitPrice?: number | undefined;
  readonly long: boolean;
}

/** A closed trade as its file has it, to be compared with those of another file. NaN where a number is missing. */
export interface LedgerTrade {
  readonly variant: string;
  readonly line: number;
  /** Unix seconds. */
  readonly entry: number;
  readonly exit: number;
  readonly symbol: string | undefined;
  /** Long where the file names no side. */
  readonly long: boolean;
  /** In the file's unit: coins, contracts or lots. Not below 0. */
  readonly size: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  /** In money, above 0 where they were paid. Funding includes interest. */
  readonly fee: number;
  readonly funding: number;
  /** In money, after fees and funding. */
  readonly profit: number;
  /** Why it was closed, in the file's words. */
  readonly reason?: string | undefined;
}

/** Closed trades with the account that they were made in. */
export interface Ledger extends Pick<TradeList, "capital" | "flows"> {
  readonly trades: readonly LedgerTrade[];
}

/** The trades of a backtest over its days. */
export interface TradeList {
  readonly trades: readonly Trade[];
  readonly capital: number;
  /** First and last day of the test; by default those of the first entry and the last exit. */
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  /** Money paid in after the beginning, or taken out where the amount is below 0. */
  readonly flows?: readonly { readonly at: number; readonly amount: number }[] | undefined;
  /** All variants, those without a trade included; by default those of the trades. */
  readonly variants?: readonly string[] | undefined;
}

/** The symbols of the trades that name one, each once. */
export function symbolsOf(trades: readonly Trade[]): string[] {
  const symbols = trades.map(({ position }) => position?.symbol);
  return [...new Set(symbols.filter((symbol) => symbol !== undefined))];
}

/** Most days of all variants together; no optimiser's file has as many. */
const CELLS_MAX = 16_000_000;

/** The first and last day of a list of trades, and its variants. */
export function spanOf({ trades, ...list }: TradeList) {
  const first =
    list.first ?? trades.reduce((day, { entry }) => Math.min(day, dayOf(entry)), Infinity);
  const last = list.last ?? trades.reduce((day, { exit }) => Math.max(day, dayOf(exit)), -Infinity);
  const variants = list.variants ?? [...new Set(trades.map(({ variant }) => variant))];
  const days = last - first + 1;
  if (days * variants.length > CELLS_MAX) {
    throw new PanelRefused(
      `${variants.length} variants over ${days} days are more than is checked`,
    );
  }
  return { first, last, variants };
}
