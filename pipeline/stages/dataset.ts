import type { CoinHistory } from "../../quant/bars.ts";
import { datasetCoins } from "../../quant/dataset/coins.ts";
import { headlinesOf } from "../../quant/dataset/headline.ts";
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
import { PRICES, barsOf } from "../../snapshots/tables/prices.ts";
import { constantText } from "../../snapshots/tables/table.ts";
import type { Table } from "../../snapshots/tables/table.ts";
import { catalogueFingerprint } from "../catalogue-fingerprint.ts";
import type { Computer } from "../computer.ts";
import { mapOn } from "../computer.ts";
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
export function dataset(computer: Computer): Stage<WholeTables> {
  return {
    name: "dataset",
    reads: [PRICES],
    writes: TABLES,
    keeps: TABLES,
    async run(input) {
      const identity = { month: input.month, catalogue: catalogueFingerprint() };
      return (await carried(input, identity)) ?? (await built(input, identity, computer));
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

async function built(
  input: StageInput,
  identity: DatasetIdentity,
  computer: Computer,
): Promise<WholeTables> {
  const board: CoinHistory[] = input
    .read(PRICES)
    .map((block) => ({ coin: constantText(block, "coin"), bars: barsOf(block) }));
  const histories = datasetCoins(board, lastDayOfMonth(identity.month));
  const parts = await mapOn(computer, histories, {
    async work(history) {
      const coin = await computer.datasetCoin(history);
      // Done here, while the threads compute other coins, rather than after the last of them.
      return { coin, runs: datasetRunsBlock(coin), blocks: datasetBlocksBlock(coin) };
    },
    step: async (done) => await input.step(done, histories.length),
  });
  const coins = parts.map(({ coin }) => coin);
  const picks = picksOf(coins);
  const headlines = headlinesOf(coins, picks);
  return new Map([
    [DATASET, [datasetBlock(identity, coins, picks.length)]],
    [DATASET_RUNS, parts.map(({ runs }) => runs)],
    [DATASET_BLOCKS, parts.map(({ blocks }) => blocks)],
    [DATASET_PICKS, [datasetPicksBlock(picks)]],
    [DATASET_CELLS, [datasetCellsBlock(headlines)]],
    [DATASET_AGGREGATES, datasetAggregatesBlocks(headlines)],
  ]);
}
