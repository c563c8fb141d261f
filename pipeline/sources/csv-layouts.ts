/** The columns that are read. */
export const COLUMNS = ["date", "open", "high", "low", "close", "volume"] as const;
export type Column = (typeof COLUMNS)[number];
export type Places = Readonly<Record<Column, number>>;

/** A kind of price file. Names are written as `keyOf` writes them. */
export interface Layout {
  /** Whose files have it. */
  readonly provider: string;
  /** Whether a header is of this kind, by its names and its text. The first layout that matches is used. */
  readonly matches: (names: readonly string[], header: string) => boolean;
  /** Names of columns that differ from those of `COLUMNS`; of several, the first one present. */
  readonly names?: Partial<Record<Column, readonly string[]>>;
  /** The volume is in dollars. */
  readonly dollars?: true;
  /** Numbers are written for people: `64,000.5`, `$1`, `17.3K`, and a dash for no volume. */
  readonly printed?: true;
  /** Has a volume of the coin and one of the currency: `Volume BTC,Volume USDT`. */
  readonly volumes?: true;
  /** Why its files cannot be used. */
  readonly refused?: string;
}

const has =
  (...wanted: readonly string[]) =>
  (names: readonly string[]): boolean =>
    wanted.every((name) => names.includes(name));

const isYahoo = has("adjclose");
const isYahooHistory = has("stocksplits");
/** The header that yfinance writes for a single ticker. */
const YAHOO_HEADER = /^\W*Date\W+Close\W+High\W+Low\W+Open\W+Volume\W*$/;

/** Ours allows no further column: it could change what the others mean. */
export const OWN: Layout = {
  provider: "Hindsight",
  matches: () => true,
  names: { date: ["date", "day", "timestamp", "datetime", "time"] },
};

/** To read the files of one more provider, add a row, and a file to test/fixtures/price-files. */
export const LAYOUTS: readonly Layout[] = [
  {
    provider: "CoinGecko",
    matches: has("snappedat"),
    refused: "it has closes only, no open, high and low: take the files of another provider",
  },
  { provider: "Binance", matches: has("opentime"), names: { date: ["opentime"] } },
  {
    provider: "CoinMarketCap",
    matches: has("timeopen"),
    names: { date: ["timeopen"] },
    dollars: true,
  },
  { provider: "Kaggle", matches: has("sno", "marketcap"), dollars: true },
  { provider: "CoinMarketCap", matches: has("marketcap"), dollars: true, printed: true },
  {
    provider: "CryptoDataDownload",
    matches: (names) =>
      names.includes("symbol") && names.some((name) => /^unix|^volume./.test(name)),
    names: { date: ["date", "unix", "unixtimestamp"] },
    volumes: true,
  },
  {
    provider: "Yahoo Finance", // with three lines of header, the first of which calls the dates "Price"
    matches: (names) => names[0] === "price" && has("close")(names),
    names: { date: ["price"] },
    dollars: true,
  },
  {
    provider: "Yahoo Finance",
    matches: (names, header) =>
      isYahoo(names) || isYahooHistory(names) || YAHOO_HEADER.test(header),
    dollars: true,
    printed: true,
  },
  {
    provider: "Investing.com",
    matches: has("price", "change%"),
    names: { close: ["price"], volume: ["vol"] },
    printed: true,
  },
  { provider: "Stooq", matches: has("per"), names: { volume: ["vol"] } },
  {
    provider: "TradingView",
    matches: (names) => names.slice(0, 5).join() === "time,open,high,low,close",
    names: { date: ["time"] },
  },
  { provider: "Hindsight", matches: has("coin", "day", "filled"), names: { date: ["day"] } }, // the table prices
  OWN,
];

/** A layout without a header, recognised by its first row. */
export interface Headerless {
  readonly layout: Layout;
  readonly places: Places;
  readonly matches: (cells: readonly string[]) => boolean;
}

const IN_ORDER: Places = { date: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 };
const isUnix = (cell = "") => /^\d{13}(?:\d{3})?$/.test(cell);

export const HEADERLESS: readonly Headerless[] = [
  {
    layout: { provider: "Binance", matches: () => false },
    places: IN_ORDER,
    matches: (cells) => cells.length === 12 && isUnix(cells[0]) && isUnix(cells[6]), // open and close time
  },
  {
    layout: { provider: "Kraken", matches: () => false },
    places: IN_ORDER,
    matches: (cells) => cells.length === 7 && /^\d{10}$/.test(cells[0]!) && /^\d+$/.test(cells[6]!), // the trades
  },
];

/** A name without case, blanks, punctuation and brackets: `Adj Close**` is `adjclose`. */
export function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}%]/gu, "");
}

const DOLLARS = /^volume(?:usd[tcp]?|busd|fdusd|tusd|gusd|dai)$/;

/** The place of each column in a header, or -1. */
export function placesIn(layout: Layout, names: readonly string[]): Places {
  const index = (column: Column) =>
    (layout.names?.[column] ?? [column])
      .map((name) => names.indexOf(name))
      .find((at) => at !== -1) ?? -1;
  return {
    date: index("date"),
    open: index("open"),
    high: index("high"),
    low: index("low"),
    close: index("close"),
    volume: index("volume"),
  };
}

/**
 * Which of a pair's two volumes is read: the one with the coin's name or, if the coin has another name there, the one
 * that is not in dollars. If neither is in dollars, the prices are in another currency.
 */
export function volumeOfPair(
  names: readonly string[],
  ticker: string,
): { index: number; dollars: boolean } | undefined {
  const volumes = names.flatMap((name, index) => (/^volume./.test(name) ? [{ name, index }] : []));
  const dollars = volumes.filter(({ name }) => DOLLARS.test(name));
  const named = volumes.find(({ name }) => name === `volume${keyOf(ticker)}`);
  const rest = volumes.filter((volume) => volume !== named && !dollars.includes(volume));
  if (rest.length > (named === undefined && dollars.length > 0 ? 1 : 0)) return undefined;
  const coin = named ?? rest[0];
  if (coin !== undefined) return { index: coin.index, dollars: false };
  return dollars[0] && { index: dollars[0].index, dollars: true };
}
