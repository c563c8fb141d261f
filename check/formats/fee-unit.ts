/** Money that a fee or a pair may be in. All kinds of dollars count as one. */
const DOLLARS = /^(usd[tc]?|busd|fdusd|tusd|dai)$/i;
const MONEY =
  /^(usd[tc]?|busd|fdusd|tusd|dai|eur[ci]?|gbp|chf|jpy|aud|cad|nzd|cny|inr|krw|brl|try|mxn|zar|sgd|hkd|pln|rub|uah|idr|thb)$/i;
const QUOTE = /^(.{2,})(fdusd|tusd|busd|usd[tc]?|eur|gbp|jpy|aud|brl|try|chf|cad|btc|eth|bnb)$/i;

/** Whether a fee in a unit is money, coins of the pair itself, or something else. Without a unit it is money. */
export function feeKind(
  unit: string,
  symbol: string | undefined,
  sizeUnit: string,
): "money" | "coin" | "other" {
  const plain = unit.trim().toUpperCase();
  if (plain === "") return "money";
  const pair = symbol?.toUpperCase() ?? "";
  if (plain === quoteOf(pair) || MONEY.test(plain)) return "money";
  if (plain === sizeUnit.toUpperCase() || pair.startsWith(plain)) return "coin";
  return "other";
}

/** What a pair such as `ETH/BTC`, `ETH-USDT-SWAP` or `BTCUSDT` is priced in. Undefined where the name doesn't tell. */
export function quoteOf(pair: string): string | undefined {
  const [first, second] = pair.split(/[/\-_:]/);
  const quote = second ?? QUOTE.exec(first!)?.[2];
  if (quote === undefined) return undefined;
  return DOLLARS.test(quote) ? "USD" : quote.toUpperCase();
}

/** What follows the pair in names of perpetual contracts. */
const CONTRACT = /(\.P|[-_. ]?(PERP|SWAP|PERPETUAL))$/;

/** One name for the spellings of a pair: `BTC/USDT:USDT`, `BINANCE:BTCUSDT.P`, `XBTUSD` and `BTC-USDT-SWAP` are BTC/USD. */
export function pairName(symbol: string): string {
  const [first, ...rest] = symbol.toUpperCase().trim().split(":") as [string, ...string[]];
  // What is before a colon is the pair, or else the exchange.
  const isPair = rest.length === 0 || quoteOf(first) !== undefined;
  const pair = (isPair ? first : rest.join(":")).replace(CONTRACT, "");
  const [base, second] = pair.split(/[/\-_]/) as [string, string?];
  const coin = second === undefined ? (QUOTE.exec(base)?.[1] ?? base).replace(/FD$/, "") : base;
  return `${coin.replace(/^X?XBTZ?$/, "BTC")}/${quoteOf(pair) ?? "USD"}`;
}
