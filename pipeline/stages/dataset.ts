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
import { historiesOf } from "../../snapshots/tables/prices.ts";
import type { Table, TableBlock, TableRows } from "../../snapshots/tables/table.ts";
import { catalogueFingerprint } from "../catalogue-fingerprint.ts";
import type { ComputePool } from "../compute-pool.ts";
import { startOn } from "../map-on.ts";
import { firstPublished, type Stage, type StageInput } from "./stage.ts";

const TABLES: readonly Table[] = [
  DATASET,
  DATASET_RUNS,
  DATASET_BLOCKS,
  DATASET_PICKS,
  DATASET_CELLS,
  DATASET_AGGREGATES,
];

/**
 * The curve-fitting dataset as of the newest month. It does not change within its month: if a snapshot has all of its
 * tables, they are kept, even when prices have changed since.
 */
export function dataset(pool: ComputePool): Stage {
  return {
    name: "dataset",
    keeps: TABLES,
    async run(input) {
      const identity = { month: input.month, catalogue: catalogueFingerprint() };
      const kept = await firstPublished(input, (tables) => {
        const [about] = tables.get(DATASET) ?? [];
        const isWhole = TABLES.every((table) => tables.has(table));
        return isWhole && about !== undefined && isDataset(about, identity);
      });
      return kept ?? built(input, identity, pool);
    },
  };
}

/** The tables. Runs come coin by coin, so that they are written while other coins are computed. */
async function* built(
  input: StageInput,
  identity: DatasetIdentity,
  pool: ComputePool,
): AsyncGenerator<readonly [Table, TableRows]> {
  const histories = datasetCoins(historiesOf(input.prices), lastDayOfMonth(identity.month));
  const { results, stop } = startOn(pool, histories, {
    work: async (history) => await pool.datasetCoin(history),
    step: async (done) => await input.step(done, histories.length),
  });
  try {
    const texts = { coin: histories.map(({ coin }) => coin) };
    // Without coins it has no blocks at all, as when a later run takes it over.
    yield [DATASET_RUNS, histories.length === 0 ? [] : { texts, blocks: runsOf(results) }];
    const coins = await Promise.all(results);
    yield [DATASET_BLOCKS, coins.map(datasetBlocksBlock)];
    const picks = picksOf(coins);
    yield [DATASET, [datasetBlock(identity, coins, picks.length)]];
    yield [DATASET_PICKS, [datasetPicksBlock(picks)]];
    const headlines = headlinesOf(coins, picks);
    yield [DATASET_CELLS, [datasetCellsBlock(headlines)]];
    yield [DATASET_AGGREGATES, datasetAggregatesBlocks(headlines)];
  } finally {
    stop(); // if writing the runs failed, the other coins need not be computed
  }
}

async function* runsOf(coins: readonly Promise<CoinRecord>[]): AsyncGenerator<TableBlock> {
  for (const coin of coins) yield datasetRunsBlock(await coin);
}
