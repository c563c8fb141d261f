import { dayOf } from "./ordered-rows.ts";
import { PanelRefused } from "./panel.ts";

/** One closed trade of a backtest; times are Unix seconds. */
export interface Trade {
  readonly variant: string;
  readonly entry: number;
  readonly exit: number;
  /** In money, after fees. */
  readonly profit: number;
  /** What was held, where the file says it. */
  readonly position?: TradePosition | undefined;
}

export interface TradePosition {
  /** As the tool writes it: `BTC/USDT`. */
  readonly symbol?: string | undefined;
  /** In coins, above 0. */
  readonly size: number;
  readonly entryPrice: number;
  readonly long: boolean;
}

/** The trades of a backtest over its days. */
export interface TradeList {
  readonly trades: readonly Trade[];
  readonly capital: number;
  /** Days, first and last, of the test; those from the first entry to the last exit where the file doesn't say. */
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  /** Money paid in after the beginning, or out where it is below 0. */
  readonly flows?: readonly { readonly at: number; readonly amount: number }[] | undefined;
  /** All variants, those without a trade too; those of the trades where it isn't given. */
  readonly variants?: readonly string[] | undefined;
}

/** The symbols of the trades that name one, each once. */
export function symbolsOf(trades: readonly Trade[]): string[] {
  const symbols = trades.map(({ position }) => position?.symbol);
  return [...new Set(symbols.filter((symbol) => symbol !== undefined))];
}

/** More days of all variants together than any optimiser's file has. */
const CELLS_MAX = 16_000_000;

/** The first and last day of a list of trades, and its variants. */
export function spanOf(list: TradeList): {
  readonly first: number;
  readonly last: number;
  readonly variants: readonly string[];
} {
  const { trades } = list;
  let [first, last] = [Infinity, -Infinity];
  for (const { entry, exit } of trades) {
    first = Math.min(first, dayOf(entry));
    last = Math.max(last, dayOf(exit));
  }
  const span = {
    first: list.first ?? first,
    last: list.last ?? last,
    variants: list.variants ?? [...new Set(trades.map(({ variant }) => variant))],
  };
  const days = span.last - span.first + 1;
  if (days * span.variants.length > CELLS_MAX) {
    throw new PanelRefused(
      `${span.variants.length} variants over ${days} days are more than is checked`,
    );
  }
  return span;
}
