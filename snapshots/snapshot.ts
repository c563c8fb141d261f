import type { Bars } from "../quant/bars.ts";
import type { IndicatorColumns } from "../quant/indicators/columns.ts";
import type { BuyHoldYear } from "../quant/outcomes/buy-hold.ts";
import type { DcaColumns } from "../quant/outcomes/dca.ts";
import type { StoredFrequency } from "../quant/outcomes/purchase-track.ts";
import type { DatasetTables, Row } from "./dataset-tables.ts";
import type { Manifest, ManifestCoin } from "./manifest.ts";
import type { RunColumns } from "./tables/dataset-runs.ts";

/** One coin of a snapshot's board. Days are integers since 1970-01-01. */
export type SnapshotCoin = Pick<ManifestCoin, "ticker" | "name" | "firstDay" | "lastDay" | "stale">;

/**
 * One published snapshot, whole and verified, as `openSnapshot` (`reader.ts`) returns it. It is immutable, and
 * everything it returns may be kept and shared. Numeric columns are views into the files, which are in shared memory,
 * so sending them to a worker thread copies nothing. No file stays open, so its folder may be pruned while it is in
 * use.
 */
export interface Snapshot {
  readonly id: string;
  readonly manifest: Manifest;
  /** In board order. */
  readonly coins: readonly SnapshotCoin[];
  /** Undefined for a coin that is not on the board, as are the three below. */
  bars(ticker: string): Bars | undefined;
  indicators(ticker: string): IndicatorColumns | undefined;
  /** One row per start day of the coin's history; amounts are per dollar of each purchase. */
  dca(ticker: string, frequency: StoredFrequency): DcaColumns | undefined;
  /** Oldest year first. */
  buyHold(ticker: string): readonly BuyHoldYear[] | undefined;
  readonly dataset: DatasetTables;
  /** The dataset's runs, coin by coin. */
  runs(): readonly RunColumns[];
  /** What the technical rating was worth, by class; empty where the history is too short. */
  readonly ratingWorth: readonly Row[];
  /** Oldest month first. */
  readonly overfittingIndex: readonly Row[];
  /** The values of the index of each month's permuted days, by month; those not yet drawn are missing. */
  readonly overfittingIndexDraws: ReadonlyMap<string, Float64Array>;
}
