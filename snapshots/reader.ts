import type { IndicatorColumns } from "../quant/indicators/columns.ts";
import type { Bars } from "../quant/bars.ts";
import type { BuyHoldYear } from "../quant/outcomes/buy-hold.ts";
import type { DcaColumns } from "../quant/outcomes/dca.ts";
import { decodeArrow } from "./arrow-reader.ts";
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
import { arrowFileOf, constantText } from "./tables/table.ts";
import { verifyFiles } from "./verified-files.ts";

const TABLES_READ = [
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
 * Opens a published snapshot: every file is compared with its checksum first, the Arrow files are read into shared
 * memory and their columns used where they lie. Throws SnapshotError, in plain words, when anything is missing or
 * damaged. Between slices of a file the event loop turns, so a server can open the next snapshot while it answers.
 */
export async function openSnapshot(dir: string): Promise<Snapshot> {
  const { manifest, contents, problems } = await verifyFiles(dir, TABLES_READ.map(arrowFileOf));
  if (problems.length > 0) {
    throw new SnapshotError(`snapshot "${manifest.id}" is damaged: ${problems.join("; ")}`);
  }
  const blocksOf = (table: Table): readonly TableBlock[] => {
    const bytes = contents.get(arrowFileOf(table));
    if (bytes === undefined) {
      throw new SnapshotError(`snapshot "${manifest.id}" has no ${arrowFileOf(table)}`);
    }
    return decodeArrow(table, bytes);
  };
  const bars = new Map<string, Bars>();
  for (const block of blocksOf(PRICES)) bars.set(coinOf(block), barsOf(block));
  const indicators = new Map<string, IndicatorColumns>();
  for (const block of blocksOf(INDICATORS))
    indicators.set(coinOf(block), indicatorColumnsOf(block));
  const dca = new Map<string, DcaColumns>();
  for (const block of blocksOf(DCA)) {
    dca.set(`${coinOf(block)} ${constantText(block, "frequency")}`, dcaColumnsOf(block));
  }
  const buyHold = new Map<string, readonly BuyHoldYear[]>();
  for (const block of blocksOf(BUY_HOLD)) buyHold.set(coinOf(block), buyHoldYearsOf(block));
  return {
    id: manifest.id,
    dir,
    manifest,
    coins: manifest.coins,
    bars: (ticker) => bars.get(ticker),
    indicators: (ticker) => indicators.get(ticker),
    dca: (ticker, frequency) => dca.get(`${ticker} ${frequency}`),
    buyHold: (ticker) => buyHold.get(ticker),
    dataset: datasetTablesOf({
      dataset: blocksOf(DATASET),
      aggregates: blocksOf(DATASET_AGGREGATES),
      cells: blocksOf(DATASET_CELLS),
      picks: blocksOf(DATASET_PICKS),
    }),
    overfittingIndex: rowsOfBlocks(blocksOf(OVERFITTING_INDEX)),
  };
}

function coinOf(block: TableBlock): string {
  return constantText(block, "coin");
}
