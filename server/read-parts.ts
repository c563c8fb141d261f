import { setImmediate } from "node:timers/promises";
import { datasetPieces } from "./routes/dataset.ts";
import type { SnapshotData } from "./routes/snapshot-data.ts";

/**
 * Makes what answers of a snapshot share and make at the first use, a piece a turn: else the first answer that needs it
 * would hold up all others for as long as the pieces take together.
 */
export async function readParts({ dataset }: SnapshotData): Promise<void> {
  for (const _ of datasetPieces(dataset)) await setImmediate();
}
