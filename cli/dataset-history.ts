import type { Bars } from "../quant/bars.ts";
import { historyUpTo } from "../quant/bars.ts";
import { dateOfDay } from "../quant/calendar.ts";
import { datasetWindow } from "../quant/dataset/definition.ts";
import { STUDIED } from "../quant/strategies/studied.ts";
import type { Template } from "../quant/strategies/template.ts";
import type { Row } from "../snapshots/dataset-tables.ts";
import { rowsOfBlocks } from "../snapshots/dataset-tables.ts";
import type { History } from "../snapshots/history.ts";
import { readHistory } from "../snapshots/history.ts";
import { SnapshotError } from "../snapshots/snapshot-error.ts";
import { DATASET } from "../snapshots/tables/dataset.ts";
import { DATASET_RUNS } from "../snapshots/tables/dataset-runs.ts";
import { constantText } from "../snapshots/tables/table.ts";
import { UsageError } from "./usage-error.ts";
import { currentSnapshot } from "./current-snapshot.ts";
import { suggestion } from "./suggestion.ts";

/** The prices and runs of the current snapshot, for commands that repeat runs of the dataset. */
export async function openDatasetHistory(snapshots: string): Promise<History> {
  return await readHistory(await currentSnapshot(snapshots), [DATASET, DATASET_RUNS]);
}

/** The dataset's month. */
export function datasetVersion(history: History): string | null {
  const version = rowsOfBlocks(history.tables.get(DATASET) ?? [])[0]?.["version"];
  return typeof version === "string" ? version : null;
}

export function templateOf(name: string): Template {
  const template = STUDIED.find((known) => known.name === name);
  if (template !== undefined) return template;
  const hint = suggestion(
    name,
    STUDIED.map((known) => known.name),
  );
  throw new UsageError(`there is no template "${name}"${hint}`);
}

/** A coin's stored runs in the order of the catalogue; 286 of them. */
export function storedRuns({ tables, coins: board }: History, coin: string): Row[] {
  const blocks = tables.get(DATASET_RUNS) ?? [];
  const coins = blocks.map((block) => constantText(block, "coin"));
  const rows = rowsOfBlocks(blocks.filter((_, index) => coins[index] === coin));
  if (rows.length > 0) return rows;
  const why = board.has(coin)
    ? `: it has the ${coins.length} coins with the longest history`
    : suggestion(coin, coins);
  throw new UsageError(`coin "${coin}" is not in the dataset of this snapshot${why}`);
}

/** The dates of a stored run. */
export function datesOf(row: Row) {
  const date = (column: string) => dateOfDay(Number(row[column]));
  return {
    start_date: date("start_date"),
    out_of_sample_start: date("out_of_sample_start"),
    end_date: date("end_date"),
  };
}

/** The price history that a stored run was made from. */
export function barsOfRun({ coins }: History, coin: string, row: Row): Bars {
  const all = coins.get(coin)?.bars;
  if (all === undefined) throw new SnapshotError(`the snapshot has no prices of "${coin}"`);
  const bars = historyUpTo(all, Number(row["end_date"]));
  if (bars.day[datasetWindow(bars.day.length).from] !== row["start_date"]) {
    throw new SnapshotError(
      `the history of "${coin}" has begun anew since the dataset was built: the run started on ${datesOf(row).start_date}`,
    );
  }
  return bars;
}
