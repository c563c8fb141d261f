import type { Bars } from "../quant/bars.ts";
import type { KnownRun } from "../quant/check/afterwards.ts";
import { coinOfSymbol } from "../quant/check/coin-symbol.ts";
import { markedRows } from "../quant/check/marked-rows.ts";
import type { CheckWarning, Observations } from "../quant/check/panel.ts";
import { returnsOf } from "../quant/check/returns-of.ts";
import { symbolsOf } from "../quant/check/trade.ts";
import { maxDrawdown } from "../quant/engine/statistics.ts";
import type { ReadExport } from "./formats/export.ts";

/** What a snapshot knows of the coins that were traded. */
export interface Market {
  readonly coins: ReadonlySet<string>;
  readonly barsOf: (coin: string) => Bars | undefined;
  /** The runs of the dataset. */
  readonly known: () => readonly KnownRun[];
  /** Whether its prices are made up. */
  readonly isSynthetic: boolean;
}

/** The pairs that a file says were traded. */
export function symbolsIn(read: ReadExport): readonly string[] {
  return read.symbols ?? symbolsOf(read.trades?.trades ?? []);
}

/** Whether a check has use for prices: of a coin that is named, or of what the file says was traded. */
export function needsMarket(read: ReadExport, coin: string | undefined): boolean {
  return coin !== undefined || read.trades !== undefined || read.symbols !== undefined;
}

/** The coin that was traded, if the file's pairs are all of one and none is priced in another, as ETH/BTC is. */
export function onlyCoinOf(read: ReadExport, { coins }: Market): string | undefined {
  const symbols = symbolsIn(read);
  const quotes = symbols.map((symbol) => symbol.toLowerCase().split(/[/:]/)[1] ?? "");
  if (quotes.some((quote) => coins.has(quote))) return undefined;
  const [coin, ...others] = new Set(symbols.map((symbol) => coinOfSymbol(symbol, coins) ?? symbol));
  return coin !== undefined && others.length === 0 && coins.has(coin) ? coin : undefined;
}

/** What a file says was traded, by its ticker where the market has it. */
export function tradedIn(read: ReadExport, market: Market | undefined): readonly string[] {
  const coins = market?.coins ?? new Set<string>();
  return [...new Set(symbolsIn(read).map((symbol) => coinOfSymbol(symbol, coins) ?? symbol))];
}

interface MarkedSource {
  readonly rows?: Observations;
  readonly source: {
    readonly warnings: readonly CheckWarning[];
    readonly realisedOnly?: boolean;
    readonly markedToMarket?: boolean;
  };
}

/** A list of trades valued at the closes of the snapshot, or a warning that says why it wasn't. */
export function markedToMarket(
  read: ReadExport,
  market: Market,
  coin: string | undefined,
): MarkedSource | undefined {
  if (read.trades === undefined) return undefined;
  const marked = markedRows(read.trades, (symbol) => {
    const name = symbol === undefined ? coin : coinOfSymbol(symbol, market.coins);
    return name === undefined ? undefined : market.barsOf(name);
  });
  if (marked.rows === undefined) {
    const message = `open positions were not marked to market: ${marked.reason}`;
    return { source: { warnings: [...read.warnings, { code: "not_marked", message }] } };
  }
  const ofAny = marked.rows.names.length > 1 ? " of any variant" : "";
  const message =
    `open positions were marked to market at daily closes: the deepest drawdown${ofAny} is ` +
    `${deepest(marked.rows)}, by realised profits alone ${deepest(read.rows!)}`; // trades always have rows
  const others = read.warnings.filter(({ code }) => code !== "realised_only");
  return {
    rows: marked.rows,
    source: {
      warnings: [...others, { code: "marked_to_market", message }],
      realisedOnly: false,
      markedToMarket: true,
    },
  };
}

/** The deepest drawdown of any variant, in percent. */
function deepest(rows: Observations): string {
  const drawdowns = returnsOf(rows, []).map((column) => maxDrawdown(column, 0, column.length));
  return `${(100 * Math.min(...drawdowns)).toFixed(1)} %`;
}
