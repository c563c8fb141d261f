import { setImmediate } from "node:timers/promises";
import { arrowBlocks, type UnreadBlock } from "./arrow-reader.ts";
import { datasetTablesOf, rowsOfBlocks } from "./dataset-tables.ts";
import { SnapshotError } from "./snapshot-error.ts";
import type { Snapshot } from "./snapshot.ts";
import { BUY_HOLD, buyHoldYearsOf } from "./tables/buy-hold.ts";
import { DATASET } from "./tables/dataset.ts";
import { DATASET_AGGREGATES } from "./tables/dataset-aggregates.ts";
import { DATASET_CELLS } from "./tables/dataset-cells.ts";
import { DATASET_PICKS } from "./tables/dataset-picks.ts";
import { DCA, dcaColumnsOf } from "./tables/dca.ts";
import { INDICATORS, indicatorColumnsOf } from "./tables/indicators.ts";
import { OVERFITTING_INDEX } from "./tables/overfitting-index.ts";
import { PRICES, barsOf } from "./tables/prices.ts";
import type { Table, TableBlock } from "./tables/table.ts";
import { arrowFileOf } from "./tables/table.ts";
import { keepServed } from "./served-files.ts";
import { verifyFiles, type VerifiedFiles } from "./verified-files.ts";

const TABLES_SERVED: readonly Table[] = [
  PRICES,
  INDICATORS,
  DCA,
  BUY_HOLD,
  DATASET,
  DATASET_AGGREGATES,
  DATASET_CELLS,
  DATASET_PICKS,
  OVERFITTING_INDEX,
];

/**
 * Number of coins whose columns are kept. A coin's fifty columns are 15 KB of views. On a large board most
 * coins are requested once, and the server keeps their answers anyway.
 */
const INDICATORS_READ_MAX = 200;

/**
 * Opens a published snapshot. Every file is first checked against its checksum; the Arrow files stay in
 * memory and their columns are used in place. Throws SnapshotError, in plain words, when anything is
 * missing or damaged. Files are read on another thread, so a server can open the next snapshot while it
 * answers. Such a server passes `rest`, which lets the event loop run between two tables.
 */
export async function openSnapshot(
  dir: string,
  verified: Promise<VerifiedFiles> = verifyFiles(dir, keepServed),
  rest: () => Promise<unknown> = setImmediate,
): Promise<Snapshot> {
  const { manifest, contents, problems } = await verified;
  if (problems.length > 0) {
    throw new SnapshotError(`snapshot "${manifest.id}" is damaged: ${problems.join("; ")}`);
  }
  const blocks = new Map<Table, readonly UnreadBlock[]>();
  for (const table of TABLES_SERVED) {
    const bytes = contents.get(arrowFileOf(table));
    if (bytes === undefined) {
      throw new SnapshotError(`snapshot "${manifest.id}" has no ${arrowFileOf(table)}`);
    }
    blocks.set(table, arrowBlocks(table, bytes));
    // Sorting out thousands of blocks takes milliseconds, during which no request is answered.
    await rest();
  }
  const blocksOf = (table: Table) => blocks.get(table) ?? [];
  const bars = byKey(blocksOf(PRICES), coinOf, barsOf);
  const indicators = byKey(blocksOf(INDICATORS), coinOf, indicatorColumnsOf, INDICATORS_READ_MAX);
  const planOf = (block: UnreadBlock) => `${coinOf(block)} ${block.text("frequency")}`;
  const dca = byKey(blocksOf(DCA), planOf, dcaColumnsOf);
  const buyHold = byKey(blocksOf(BUY_HOLD), coinOf, buyHoldYearsOf);
  return {
    id: manifest.id,
    dir,
    manifest,
    coins: manifest.coins,
    bars,
    indicators,
    dca: (ticker, frequency) => dca(`${ticker} ${frequency}`),
    buyHold,
    dataset: datasetTablesOf({
      dataset: blocksOf(DATASET),
      aggregates: blocksOf(DATASET_AGGREGATES),
      cells: blocksOf(DATASET_CELLS),
      picks: blocksOf(DATASET_PICKS),
    }),
    overfittingIndex: rowsOfBlocks(blocksOf(OVERFITTING_INDEX)),
  };
}

function coinOf(block: UnreadBlock): string {
  return block.text("coin");
}

/**
 * Finds by key what the blocks hold. A block is read on first use. Once `readMax` results are kept, all are
 * dropped and read again on demand.
 */
function byKey<Value>(
  blocks: readonly UnreadBlock[],
  keyOf: (block: UnreadBlock) => string,
  read: (block: TableBlock) => Value,
  readMax = Infinity,
): (key: string) => Value | undefined {
  const byName = new Map(blocks.map((block) => [keyOf(block), block]));
  const values = new Map<string, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const block = byName.get(key);
    if (block === undefined) return undefined;
    if (values.size >= readMax) values.clear();
    const value = read(block.read());
    values.set(key, value);
    return value;
  };
}
