import { datasetCoins } from "../../quant/dataset/coins.ts";
import { headlinesOf } from "../../quant/dataset/headline.ts";
import type { CoinRecord } from "../../quant/dataset/record.ts";
import { lastDayOfMonth } from "../../quant/month.ts";
import { picksOf } from "../../quant/dataset/pick.ts";
import { DATASET, datasetBlock, isDataset } from "../../snapshots/tables/dataset.ts";
import type { DatasetIdentity } from "../../snapshots/tables/dataset.ts";
import {
  DATASET_AGGREGATES,
  datasetAggregatesBlocks,
} from "../../snapshots/tables/dataset-aggregates.ts";
import { DATASET_BLOCKS, datasetBlocksBlock } from "../../snapshots/tables/dataset-blocks.ts";
import { DATASET_CELLS, datasetCellsBlock } from "../../snapshots/tables/dataset-cells.ts";
import { DATASET_PICKS, datasetPicksBlock } from "../../snapshots/tables/dataset-picks.ts";
import { DATASET_RUNS, datasetRunsBlock } from "../../snapshots/tables/dataset-runs.ts";
import { PRICES, historiesOf } from "../../snapshots/tables/prices.ts";
import type { Table, TableBlock, TableRows } from "../../snapshots/tables/table.ts";
import { catalogueFingerprint } from "../catalogue-fingerprint.ts";
import type { ComputePool } from "../compute-pool.ts";
import { startOn } from "../map-on.ts";
import type { Stage, StageInput, WholeTables } from "./stage.ts";

const TABLES: readonly Table[] = [
  DATASET,
  DATASET_RUNS,
  DATASET_BLOCKS,
  DATASET_PICKS,
  DATASET_CELLS,
  DATASET_AGGREGATES,
];

/**
 * The curve-fitting dataset as of the newest month. It does not change within its month: if a snapshot has
 * it, its rows are kept, even when prices have changed since.
 */
export function dataset(pool: ComputePool): Stage {
  return {
    name: "dataset",
    reads: [PRICES],
    writes: TABLES,
    keeps: TABLES,
    async run(input) {
      const identity = { month: input.month, catalogue: catalogueFingerprint() };
      return (await carried(input, identity)) ?? built(input, identity, pool);
    },
  };
}

/** The same dataset as published, with all of its tables. */
async function carried(
  input: StageInput,
  identity: DatasetIdentity,
): Promise<WholeTables | undefined> {
  for await (const tables of input.published()) {
    const [about] = tables.get(DATASET) ?? [];
    const whole = TABLES.every((table) => tables.has(table));
    if (whole && about !== undefined && isDataset(about, identity)) return tables;
  }
  return undefined;
}

/**
 * The runs leave coin by coin, so that they are being written while other coins, and then the figures of all, are
 * computed.
 */
async function* built(
  input: StageInput,
  identity: DatasetIdentity,
  pool: ComputePool,
): AsyncGenerator<readonly [Table, TableRows]> {
  const board = historiesOf(input.read(PRICES));
  const histories = datasetCoins(board, lastDayOfMonth(identity.month));
  const { results, stop } = startOn(pool, histories, {
    async work(history) {
      const coin = await pool.datasetCoin(history);
      return { coin, blocks: datasetBlocksBlock(coin) };
    },
    step: async (done) => await input.step(done, histories.length),
  });
  try {
    const texts = { coin: histories.map(({ coin }) => coin) };
    // Without coins it is written as a later run writes it that takes it over.
    yield [DATASET_RUNS, histories.length === 0 ? [] : { texts, blocks: runsOf(results) }];
    yield* figuresOf(identity, await Promise.all(results));
  } finally {
    stop(); // if writing the runs failed, the other coins need not be computed
  }
}

interface Part {
  readonly coin: CoinRecord;
  readonly blocks: TableBlock;
}

async function* runsOf(parts: readonly Promise<Part>[]): AsyncGenerator<TableBlock> {
  for (const part of parts) yield datasetRunsBlock((await part).coin);
}

/** The tables about all coins. */
function* figuresOf(
  identity: DatasetIdentity,
  parts: readonly Part[],
): Generator<readonly [Table, TableRows]> {
  yield [DATASET_BLOCKS, parts.map(({ blocks }) => blocks)];
  const coins = parts.map(({ coin }) => coin);
  const picks = picksOf(coins);
  yield [DATASET, [datasetBlock(identity, coins, picks.length)]];
  yield [DATASET_PICKS, [datasetPicksBlock(picks)]];
  const headlines = headlinesOf(coins, picks);
  yield [DATASET_CELLS, [datasetCellsBlock(headlines)]];
  yield [DATASET_AGGREGATES, datasetAggregatesBlocks(headlines)];
}
