import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { UNFINISHED_PREFIX, findCurrent, listSnapshotIds, syncPath } from "./folder.ts";

/** How many snapshots stay by default. */
export const SNAPSHOTS_KEPT = 7;

/**
 * Removes all but the newest `keep` snapshots, and never the current one. A snapshot leaves its name by one rename before
 * its files go, so nobody finds half of one under its name. Returns the ids that were removed. Callers hold the lock.
 */
export async function pruneSnapshots(root: string, keep: number): Promise<string[]> {
  const current = await findCurrent(root);
  const currentId = current === undefined ? undefined : basename(current);
  const ids = await listSnapshotIds(root);
  // The current one counts among the kept ones wherever it stands.
  const others = ids.filter((id) => id !== currentId);
  const removed = others.slice(Math.max(0, keep - (currentId === undefined ? 0 : 1)));
  for (const id of removed) removeSnapshot(root, id);
  if (removed.length > 0) syncPath(root);
  return removed;
}

function removeSnapshot(root: string, id: string): void {
  const aside = join(root, `${UNFINISHED_PREFIX}pruned-${id}`);
  rmSync(aside, { recursive: true, force: true });
  renameSync(join(root, id), aside);
  rmSync(aside, { recursive: true, force: true });
}

/** Removes what killed runs left behind. Callers hold the lock, so nobody is writing it. */
export function removeLeftovers(root: string): string[] {
  const leftovers = readdirSync(root).filter((name) => name.startsWith(UNFINISHED_PREFIX));
  for (const name of leftovers) rmSync(join(root, name), { recursive: true, force: true });
  return leftovers;
}
