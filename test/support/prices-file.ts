import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BoardCoin } from "../../pipeline/board.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A coin of a board, by its ticker. */
export function coinOf(ticker: string): BoardCoin {
  return { ticker, name: ticker, symbol: `${ticker}/USDT` };
}

export const PRICES_HEADER = "date,open,high,low,close,volume";

/** The text of a valid price file: `days` rows from `firstDay`, at a price that rises by 1 a day from 100. */
export function pricesText({ firstDay, days }: { firstDay: number; days: number }): string {
  const rows = Array.from({ length: days }, (_, row) => {
    const close = 100 + row;
    return `${dateOfDay(firstDay + row)},${close - 0.5},${close + 1},${close - 1},${close},${10 + row}.25`;
  });
  return [PRICES_HEADER, ...rows, ""].join("\n");
}

/** Makes a folder of files for the running test. A file whose content is `null` becomes a folder. */
export function folderOf(files: Readonly<Record<string, string | Buffer | null>>): string {
  const folder = temporaryFolder("prices");
  for (const [name, content] of Object.entries(files)) {
    if (content === null) mkdirSync(join(folder, name));
    else writeFileSync(join(folder, name), content);
  }
  return folder;
}
