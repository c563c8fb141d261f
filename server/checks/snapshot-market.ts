import type { Market } from "../../check/market.ts";
import { readHistory } from "../../snapshots/history.ts";
import { DATASET_RUNS, knownRunsOf, runColumnsOf } from "../../snapshots/tables/dataset-runs.ts";

/** The market of a snapshot in a folder: its coins' prices and the runs of its dataset. */
export async function snapshotMarket(dir: string): Promise<Market> {
  const { coins, tables, manifest } = await readHistory(dir, [DATASET_RUNS]);
  return {
    coins: new Set(coins.keys()),
    barsOf: (name) => coins.get(name)?.bars,
    known: () => knownRunsOf((tables.get(DATASET_RUNS) ?? []).map(runColumnsOf)),
    isSynthetic: manifest.synthetic,
  };
}
