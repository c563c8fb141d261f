import { findCurrent } from "../../snapshots/folder.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";

/** The folder of the current snapshot. Throws if none was published. */
export async function currentSnapshot(root: string): Promise<string> {
  const dir = await findCurrent(root);
  if (dir !== undefined) return dir;
  const message = `no snapshot was published in "${root}": publish one (hindsight pipeline), or say where they are with --snapshots`;
  throw new SnapshotError(message);
}
