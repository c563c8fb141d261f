import type { Bars } from "../quant/bars.ts";
import { arrowBlocks } from "./arrow-reader.ts";
import { FileReading } from "./file-reading.ts";
import type { Manifest } from "./manifest.ts";
import { SnapshotError } from "./snapshot-error.ts";
import type { SnapshotCoin } from "./snapshot.ts";
import { PRICES, barsOf } from "./tables/prices.ts";
import { arrowFileOf } from "./tables/table.ts";
import { verifyFiles } from "./verified-files.ts";

/** What backtests need of a snapshot: its prices, in shared memory, for threads. */
export interface SnapshotPrices {
  readonly id: string;
  readonly manifest: Manifest;
  /** In board order. */
  readonly coins: readonly SnapshotCoin[];
  /** Undefined for a coin that is not on the board. */
  bars(ticker: string): Bars | undefined;
}

/**
 * Opens the prices of a published snapshot, and reads no more of it than that: they are compared with their checksum, as
 * `openSnapshot` does with every file. Throws SnapshotError when they are missing or damaged.
 */
export async function openPrices(dir: string): Promise<SnapshotPrices> {
  const file = arrowFileOf(PRICES);
  const { manifest, contents, problems } = await verifyFiles(
    dir,
    () => "shared",
    new FileReading({ quietly: true }),
    (name) => name === file,
  );
  const { id, coins } = manifest;
  if (problems.length > 0)
    throw new SnapshotError(`snapshot "${id}" is damaged: ${problems.join("; ")}`);
  const bytes = contents.get(file);
  if (bytes === undefined) throw new SnapshotError(`snapshot "${id}" has no ${file}`);
  const bars = new Map(
    arrowBlocks(PRICES, bytes).map((block) => [block.text("coin"), barsOf(block)]),
  );
  return { id, manifest, coins, bars: (ticker) => bars.get(ticker) };
}
