import { MoreNeeded, type ReadExport } from "./formats/export.ts";
import { checkNames } from "./formats/read-export.ts";
import { markedToMarket, symbolsIn, type Market } from "./market.ts";

/** A file with the market of its coins, and with its trades valued there. */
export interface FileAtMarket {
  readonly read: ReadExport;
  readonly market?: Market;
  readonly marked?: ReturnType<typeof markedToMarket>;
}

/** What a check takes into account beside the content of a file. */
export interface FilePlace {
  readonly coin?: string | undefined;
  readonly fileName?: string | undefined;
  readonly marketFor?: ((read: ReadExport) => Promise<Market | undefined>) | undefined;
  readonly asksDoubts?: boolean | undefined;
}

/** Finds the market of a file, by the coin in its name if that fits. With `asksDoubts`, a doubt is thrown as a question. */
export async function fileAtMarket(
  sent: ReadExport,
  surroundings: FilePlace,
): Promise<FileAtMarket> {
  const { coin, fileName, marketFor, asksDoubts } = surroundings;
  checkNames([...(sent.rows?.names ?? []), ...symbolsIn(sent)]);
  if (sent.doubt !== undefined && asksDoubts === true)
    throw new MoreNeeded(sent.doubt.questions, sent.doubt.table);
  if (sent.rows === undefined) return { read: sent };
  const named = coin === undefined ? asNamed(sent, fileName) : undefined;
  const market = await marketFor?.(named ?? sent);
  if (market === undefined) return { read: sent };
  const marked = named && markedToMarket(named, market, coin);
  if (named !== undefined && marked?.rows !== undefined) return { read: named, market, marked };
  return { read: sent, market, marked: markedToMarket(sent, market, coin) };
}

/** `Strategy_BINANCE_SOLUSDT_2026-01-02.csv`. Newer names end in five characters, second downloads in a number. */
const NAME =
  /_[A-Z0-9]+_([A-Z0-9.]+)(?:_|-)\d{4}-\d{2}-\d{2}(?:-\d{4}-\d{2}-\d{2})?(?:_[0-9a-z]+)?(?: ?\(\d+\))?\.(?:csv|xlsx)$/;

/**
 * TradingView's list of trades with the pair of its file's name, which its cells lack. Undefined for any other file. Names
 * can be changed, so the pair counts only if the trades are at its prices.
 */
export function asNamed(read: ReadExport, fileName = ""): ReadExport | undefined {
  const symbol = NAME.exec(fileName)?.[1];
  const { tool, trades } = read;
  if (symbol === undefined || tool !== "TradingView" || trades === undefined) return undefined;
  if (symbolsIn(read).length > 0) return undefined;
  const named = trades.trades.map(({ position, ...trade }) => ({
    ...trade,
    position: position && { ...position, symbol },
  }));
  const message = `the coin was taken from the file's name, ${symbol}: the trades are at its prices`;
  return {
    ...read,
    trades: { ...trades, trades: named },
    warnings: [...read.warnings, { code: "coin_of_name", message }],
  };
}
