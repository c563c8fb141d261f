import { setImmediate } from "node:timers/promises";
import { arrowBlocks } from "./arrow-reader.ts";
import { SnapshotError } from "./snapshot-error.ts";
import type { Snapshot } from "./snapshot.ts";
import { PRICES, barsOf } from "./tables/prices.ts";
import { arrowFileOf } from "./tables/table.ts";
import { verifyFiles, wholeOnly } from "./verified-files.ts";

/** A snapshot's prices in shared memory, which is what the backtest threads need of it. */
export type SnapshotPrices = Pick<Snapshot, "id" | "manifest" | "coins" | "bars">;

/** Opens the prices of a published snapshot alone. Throws SnapshotError when they are missing or damaged. */
export async function openPrices(dir: string): Promise<SnapshotPrices> {
  const file = arrowFileOf(PRICES);
  const { manifest, contents } = wholeOnly(await verifyFiles(dir, [file], setImmediate));
  const { id, coins } = manifest;
  const bytes = contents.get(file);
  if (bytes === undefined) throw new SnapshotError(`snapshot "${id}" has no ${file}`);
  const bars = new Map(
    Array.from(arrowBlocks(PRICES, bytes), (block) => [block.text("coin"), barsOf(block)]),
  );
  return { id, manifest, coins, bars: (ticker) => bars.get(ticker) };
}
