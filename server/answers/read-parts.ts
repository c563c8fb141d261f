import { setTimeout } from "node:timers/promises";
import { datasetPieces } from "../routes/dataset.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";

/**
 * The rest between two pieces of work that nobody waits for. If they ran one turn after another, they and the
 * garbage collections they cause would take half of the processor from requests for a fifth of a second.
 */
const REST_MS = 2;

/** Gives the event loop to others. */
export function restAWhile(): Promise<unknown> {
  return setTimeout(REST_MS);
}

/**
 * Computes, piece by piece, what answers of a snapshot share and would otherwise compute at first use.
 * Without this, the first answer that needs it would hold up all others while all pieces are made.
 */
export async function readParts({ dataset }: SnapshotData): Promise<void> {
  for (const _ of datasetPieces(dataset)) await restAWhile();
}
