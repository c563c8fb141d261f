import type { Bars } from "../quant/bars.ts";
import type { KnownRun } from "../quant/check/afterwards.ts";
import { coinOfSymbol } from "../quant/check/coin-symbol.ts";
import { markedRows } from "../quant/check/marked-rows.ts";
import type { TradeAtMarket } from "../quant/check/fill-timing.ts";
import type { CheckWarning, Observations } from "../quant/check/panel.ts";
import { returnsOf } from "../quant/check/returns-of.ts";
import { symbolsOf } from "../quant/check/trade.ts";
import { maxDrawdown } from "../quant/engine/statistics.ts";
import type { ReadExport } from "./formats/export.ts";

/** The prices of a snapshot, and the runs of its dataset. */
export interface Market {
  readonly coins: ReadonlySet<string>;
  readonly barsOf: (coin: string) => Bars | undefined;
  readonly known: () => readonly KnownRun[];
  /** Whether its prices are made up. */
  readonly isSynthetic: boolean;
}

/** The pairs that a file says were traded. */
export function symbolsIn(read: ReadExport): readonly string[] {
  return read.symbols ?? symbolsOf(read.trades?.trades ?? []);
}

/** Whether a check needs prices, because a coin is named or the file says what was traded. */
export function needsMarket(read: ReadExport, coin: string | undefined): boolean {
  return coin !== undefined || read.trades !== undefined || read.symbols !== undefined;
}

/** What a file says was traded, by its ticker where the market has it. */
export function tradedIn(read: ReadExport, coins: ReadonlySet<string>): readonly string[] {
  return [...new Set(symbolsIn(read).map((symbol) => coinOfSymbol(symbol, coins) ?? symbol))];
}

/** The coins of an option, which has commas or spaces between them. */
export function coinsNamed(coin: string): readonly string[] {
  return [...new Set(coin.toLowerCase().split(/[\s,]+/))].filter((name) => name !== "");
}

/** What was traded, if some of it is a coin with prices and no pair is priced in another coin, as ETH/BTC is. */
export function coinsOf(read: ReadExport, { coins }: Market): readonly string[] {
  const quotes = symbolsIn(read).map((symbol) => symbol.toLowerCase().split(/[/:]/)[1] ?? "");
  if (quotes.some((quote) => coins.has(quote))) return [];
  const traded = tradedIn(read, coins);
  return traded.some((coin) => coins.has(coin)) ? traded : [];
}

/** The bars of a symbol, or of the coin that was named where there is none. */
function barsIn(market: Market, coin: string | undefined) {
  return (symbol: string | undefined): Bars | undefined => {
    const name = symbol === undefined ? coin : coinOfSymbol(symbol, market.coins);
    return name === undefined ? undefined : market.barsOf(name);
  };
}

/** The trades of a list whose coin has prices. Undefined for any other file, and where there is no market. */
export function tradesAtMarket(
  read: ReadExport,
  market: Market | undefined,
  coin: string | undefined,
): readonly TradeAtMarket[] | undefined {
  const barsOf = market && barsIn(market, coin);
  return read.trades?.trades.flatMap((trade) => {
    const { position } = trade;
    const bars = position && barsOf?.(position.symbol);
    return bars === undefined ? [] : [{ ...trade, position: position!, bars }];
  });
}

interface Marked {
  readonly rows?: Observations;
  readonly source: {
    readonly warnings: readonly CheckWarning[];
    readonly realisedOnly?: boolean;
    readonly markedToMarket?: boolean;
  };
}

/** A list of trades valued at the closes of the market, or a warning why it wasn't. Undefined for any other file. */
export function markedToMarket(
  read: ReadExport,
  market: Market,
  coin: string | undefined,
): Marked | undefined {
  if (read.trades === undefined) return undefined;
  const marked = markedRows(read.trades, barsIn(market, coin));
  if (marked.rows === undefined) {
    const message = `open positions were not marked to market: ${marked.reason}`;
    return { source: { warnings: [...read.warnings, { code: "not_marked", message }] } };
  }
  const ofAny = marked.rows.names.length > 1 ? " of any variant" : "";
  const message =
    `open positions were marked to market at daily closes: the deepest drawdown${ofAny} is ` +
    `${deepest(marked.rows)}, by realised profits alone ${deepest(read.rows!)}`; // trades always have rows
  const others = read.warnings.filter(({ code }) => code !== "realised_only");
  const warnings = [...others, { code: "marked_to_market", message }];
  return { rows: marked.rows, source: { warnings, realisedOnly: false, markedToMarket: true } };
}

/** The deepest drawdown of any variant, in percent. */
function deepest(rows: Observations): string {
  const drawdowns = returnsOf(rows, []).map((column) => maxDrawdown(column, 0, column.length));
  return `${(100 * Math.min(...drawdowns)).toFixed(1)} %`;
}
