import { SnapshotError } from "./snapshot-error.ts";
import { verifyFiles } from "./verified-files.ts";

/** Recomputes every checksum of a snapshot. Returns its problems in plain words; empty when it is whole. */
export async function verifySnapshot(dir: string): Promise<readonly string[]> {
  try {
    return (await verifyFiles(dir, "all")).problems;
  } catch (error) {
    if (error instanceof SnapshotError) return [error.message];
    throw error;
  }
}
