/** Endings of a symbol that are not part of the coin's name. */
const QUOTES = ["usdt", "usdc", "busd", "fdusd", "usd", "eur", "perp"];

/** The coin of a pair such as `BTC/USDT`, `ETH-USDT`, `BTCUSDT.BINANCE` or `BTCUSD`; undefined unless it is known. */
export function coinOfSymbol(symbol: string, known: ReadonlySet<string>): string | undefined {
  const text = symbol.toLowerCase().trim();
  const first = text.split(/[/\-_:. ]/)[0]!; // splitting gives at least one part
  const quote = QUOTES.find((name) => first.endsWith(name) && first.length > name.length);
  const base = quote === undefined ? first : first.slice(0, -quote.length);
  return [first, base].find((name) => known.has(name));
}
