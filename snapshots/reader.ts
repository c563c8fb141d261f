import { setImmediate } from "node:timers/promises";
import { arrowBlocks, type UnreadBlock } from "./arrow-reader.ts";
import { datasetTablesOf, rowsOfBlocks } from "./dataset-tables.ts";
import { FORMAT_VERSION } from "./manifest.ts";
import { SnapshotError } from "./snapshot-error.ts";
import type { Snapshot } from "./snapshot.ts";
import { BUY_HOLD, buyHoldYearsOf } from "./tables/buy-hold.ts";
import { DATASET_ROBUSTNESS } from "./tables/dataset-robustness.ts";
import { DATASET_RUNS, runColumnsOf, type RunColumns } from "./tables/dataset-runs.ts";
import { DATASET } from "./tables/dataset.ts";
import { DATASET_AGGREGATES } from "./tables/dataset-aggregates.ts";
import { DATASET_CELLS } from "./tables/dataset-cells.ts";
import { DATASET_PICKS } from "./tables/dataset-picks.ts";
import { DCA, dcaColumnsOf } from "./tables/dca.ts";
import { INDICATORS, indicatorColumnsOf } from "./tables/indicators.ts";
import { OVERFITTING_INDEX } from "./tables/overfitting-index.ts";
import { OVERFITTING_INDEX_DRAWS } from "./tables/overfitting-index-draws.ts";
import { PRICES, barsOf } from "./tables/prices.ts";
import { RATING_WORTH } from "./tables/rating-worth.ts";
import { arrowFileOf, doubles, type Table, type TableBlock } from "./tables/table.ts";
import { SERVED_FILES, verifyFiles, wholeOnly, type VerifiedFiles } from "./verified-files.ts";

/**
 * Opens a published snapshot. The files that it is served from are checked against their checksums, stay in memory,
 * and their columns are used in place. Throws SnapshotError, in plain words, when anything is missing or damaged.
 * A server that answers requests meanwhile passes `rest`, which is awaited after each large table.
 */
export async function openSnapshot(
  dir: string,
  verified: Promise<VerifiedFiles> = verifyFiles(dir, SERVED_FILES),
  rest: () => Promise<unknown> = setImmediate,
): Promise<Snapshot> {
  const { manifest, contents } = wholeOnly(await verified);
  if (manifest.formatVersion !== FORMAT_VERSION) {
    throw new SnapshotError(
      `snapshot "${manifest.id}" has format version ${manifest.formatVersion}, this program serves version ${FORMAT_VERSION}: run the pipeline to publish one`,
    );
  }
  const blocksOf = (table: Table): Iterable<UnreadBlock> => {
    const bytes = contents.get(arrowFileOf(table));
    if (bytes !== undefined) return arrowBlocks(table, bytes);
    throw new SnapshotError(`snapshot "${manifest.id}" has no ${arrowFileOf(table)}`);
  };
  const byKey = async (table: Table, keyOf: (block: UnreadBlock) => string) => {
    const blocks = new Map<string, UnreadBlock>();
    for (const block of blocksOf(table)) blocks.set(keyOf(block), block);
    await rest();
    return blocks;
  };
  const planOf = (block: UnreadBlock) => `${coinOf(block)} ${block.text("frequency")}`;
  const bars = lookUp(await byKey(PRICES, coinOf), barsOf);
  const indicators = lookUp(await byKey(INDICATORS, coinOf), indicatorColumnsOf);
  const dca = lookUp(await byKey(DCA, planOf), dcaColumnsOf);
  const buyHold = lookUp(await byKey(BUY_HOLD, coinOf), buyHoldYearsOf);
  const runBlocks = [...blocksOf(DATASET_RUNS)];
  let runs: readonly RunColumns[] | undefined;
  return {
    id: manifest.id,
    manifest,
    coins: manifest.coins,
    bars,
    indicators,
    dca: (ticker, frequency) => dca(`${ticker} ${frequency}`),
    buyHold,
    dataset: datasetTablesOf({
      dataset: [...blocksOf(DATASET)],
      aggregates: [...blocksOf(DATASET_AGGREGATES)],
      cells: [...blocksOf(DATASET_CELLS)],
      picks: [...blocksOf(DATASET_PICKS)],
      robustness: [...blocksOf(DATASET_ROBUSTNESS)],
    }),
    runs: () => (runs ??= runBlocks.map(runColumnsOf)),
    ratingWorth: rowsOfBlocks([...blocksOf(RATING_WORTH)]),
    overfittingIndex: rowsOfBlocks([...blocksOf(OVERFITTING_INDEX)]),
    overfittingIndexDraws: drawsByMonth(blocksOf(OVERFITTING_INDEX_DRAWS)),
  };
}

function drawsByMonth(blocks: Iterable<UnreadBlock>): ReadonlyMap<string, Float64Array> {
  return new Map(Array.from(blocks, (block) => [block.text("month"), doubles(block, "value")]));
}

function coinOf(block: UnreadBlock): string {
  return block.text("coin");
}

/** Finds the content of a block by its key. Each block is read on first use. */
function lookUp<Value>(
  blocks: ReadonlyMap<string, UnreadBlock>,
  read: (block: TableBlock) => Value,
): (key: string) => Value | undefined {
  const values = new Map<string, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const block = blocks.get(key);
    if (block === undefined) return undefined;
    const value = read(block);
    values.set(key, value);
    return value;
  };
}
