import { MoreNeeded, type ReadExport } from "./formats/export.ts";
import { checkNames } from "./formats/read-export.ts";
import { markedToMarket, symbolsIn, type Market } from "./market.ts";

/** A file, read, with the market of its coins and what it is worth there. */
export interface FileAtMarket {
  readonly read: ReadExport;
  readonly market?: Market;
  readonly marked?: ReturnType<typeof markedToMarket>;
}

/** What a check needs to know of a file beside what is in it. */
export interface FilePlace {
  readonly coin?: string | undefined;
  readonly fileName?: string | undefined;
  readonly marketFor?: ((read: ReadExport) => Promise<Market | undefined>) | undefined;
  readonly asksDoubts?: boolean | undefined;
}

/** The file with the coin of its name if that fits. Asks what may be left open, too, where it should. */
export async function fileAtMarket(sent: ReadExport, place: FilePlace): Promise<FileAtMarket> {
  const { coin, fileName, marketFor, asksDoubts } = place;
  checkNames([...(sent.rows?.names ?? []), ...symbolsIn(sent)]);
  if (sent.doubt !== undefined && asksDoubts === true)
    throw new MoreNeeded(sent.doubt.questions, sent.doubt.table);
  if (sent.rows === undefined) return { read: sent };
  const isNamed = coin === undefined && fileName !== undefined;
  const named = isNamed ? (await import("./coin-of-name.ts")).asNamed(sent, fileName) : undefined;
  const market = await marketFor?.(named ?? sent);
  if (market === undefined) return { read: sent };
  const marked = named && markedToMarket(named, market, coin);
  if (named !== undefined && marked?.rows !== undefined) return { read: named, market, marked };
  return { read: sent, market, marked: markedToMarket(sent, market, coin) };
}
