import { setTimeout } from "node:timers/promises";
import { datasetPieces } from "../routes/dataset.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";

/**
 * Between two pieces of work that nobody waits for. Straight after each other, a turn of the event loop each, they and
 * the garbage collections they cause would take half of the processor from requests for a fifth of a second.
 */
const REST_MS = 2;

/** Lets others have the event loop. */
export function restAWhile(): Promise<unknown> {
  return setTimeout(REST_MS);
}

/**
 * Makes what answers of a snapshot share and make at the first use, a piece at a time: else the first answer that needs it
 * would hold up all others for as long as the pieces take together.
 */
export async function readParts({ dataset }: SnapshotData): Promise<void> {
  for (const _ of datasetPieces(dataset)) await restAWhile();
}
