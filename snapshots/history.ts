import type { Bars } from "../quant/bars.ts";
import { decodeArrow, hasColumns } from "./arrow-reader.ts";
import type { Manifest } from "./manifest.ts";
import { PRICES, barsOf } from "./tables/prices.ts";
import { REJECTS, rejectRowsOf, type RejectRow } from "./tables/rejects.ts";
import { arrowFileOf, constantText, flags, type Table, type TableBlock } from "./tables/table.ts";
import { readVerified } from "./verified-files.ts";

/** What a snapshot holds of one coin's prices, for the run that continues it. */
interface PublishedCoin {
  readonly bars: Bars;
  /** 1 on days that were filled with the last close. */
  readonly filled: Uint8Array;
  readonly rejects: readonly RejectRow[];
}

/**
 * Blocks of the requested tables. A table that an earlier version wrote with other columns, or not at all, is left
 * out.
 */
export type PublishedTables = ReadonlyMap<Table, readonly TableBlock[]>;

/** What a run needs of the snapshot that it continues. */
export interface History {
  readonly manifest: Manifest;
  /** By ticker. */
  readonly coins: ReadonlyMap<string, PublishedCoin>;
  readonly tables: PublishedTables;
}

/**
 * Manifest and price history of a snapshot, and the further `wanted` tables. These files are verified as in
 * `openSnapshot`. The others, which are nearly all of a snapshot, are not read.
 */
export async function readHistory(dir: string, wanted: readonly Table[] = []): Promise<History> {
  const { manifest, tables } = await read(dir, [PRICES, REJECTS, ...wanted]);
  const rejects = new Map(
    tables.get(REJECTS)?.map((block) => [constantText(block, "coin"), rejectRowsOf(block)]),
  );
  const coins = new Map<string, PublishedCoin>();
  for (const block of tables.get(PRICES) ?? []) {
    const coin = constantText(block, "coin");
    const filled = flags(block, "filled");
    coins.set(coin, { bars: barsOf(block), filled, rejects: rejects.get(coin) ?? [] });
  }
  return { manifest, coins, tables };
}

/** Some tables of a snapshot, verified in the same way. */
export async function readTables(dir: string, wanted: readonly Table[]): Promise<PublishedTables> {
  return (await read(dir, wanted)).tables;
}

async function read(dir: string, wanted: readonly Table[]) {
  const { manifest, contents } = await readVerified(dir, wanted.map(arrowFileOf));
  const tables = new Map<Table, readonly TableBlock[]>();
  for (const table of wanted) {
    const bytes = contents.get(arrowFileOf(table));
    if (bytes === undefined || !hasColumns(table, bytes)) continue;
    tables.set(table, decodeArrow(table, bytes));
  }
  return { manifest, tables };
}
