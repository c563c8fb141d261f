import { setImmediate } from "node:timers/promises";
import type { SnapshotData } from "./routes/snapshot-data.ts";

/**
 * Reads what a snapshot makes at its first use, a part a turn: else the first answer that needs it would hold up all
 * others for as long as the parts take together.
 */
export async function readParts({ dataset, ...snapshot }: SnapshotData): Promise<void> {
  const parts: (() => unknown)[] = [
    () => dataset.headlines,
    () => dataset.picks,
    () => dataset.cellHeadline("", ""),
    ...snapshot.coins.map(
      ({ ticker }) =>
        () =>
          snapshot.indicators(ticker),
    ),
  ];
  for (const part of parts) {
    part();
    await setImmediate();
  }
}
