import { basename, join } from "node:path";
import { findCurrent, listSnapshotIds } from "./folder.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { parseSnapshotId } from "./snapshot-id.ts";
import { unlessDamaged } from "./snapshot-error.ts";

/** A snapshot as it describes itself. Its other files are verified when they are read. */
interface PublishedSnapshot {
  readonly dir: string;
  readonly manifest: Manifest;
}

/**
 * Names of all snapshots: the current one first, then those of earlier runs, the newest first. Every run makes its
 * own snapshot the current one. So one with a later instant was made while the clock was ahead, and is really older:
 * these come last.
 */
export async function listFromCurrent(
  root: string,
  currentId: string | undefined,
): Promise<string[]> {
  const ids = await listSnapshotIds(root);
  if (currentId === undefined) return ids;
  const latest = instantOf(currentId);
  const others = ids.filter((id) => id !== currentId);
  const isAhead = (id: string) => instantOf(id) > latest;
  return [currentId, ...others.filter((id) => !isAhead(id)), ...others.filter(isAhead)];
}

function instantOf(id: string): number {
  return parseSnapshotId(id)?.instantMs ?? Number.POSITIVE_INFINITY;
}

/**
 * The snapshots of a folder, in the order of `listFromCurrent`. `onDamaged` receives what is wrong with manifests
 * that cannot be trusted, and with a `CURRENT` that names no snapshot.
 */
export async function findPublished(
  root: string,
  onDamaged: (message: string) => void = () => {},
): Promise<PublishedSnapshot[]> {
  const current = await unlessDamaged(findCurrent(root), onDamaged);
  const currentId = current === undefined ? undefined : basename(current);
  const published: PublishedSnapshot[] = [];
  for (const id of await listFromCurrent(root, currentId)) {
    const dir = join(root, id);
    const manifest = await unlessDamaged(readManifest(dir), onDamaged);
    if (manifest !== undefined) published.push({ dir, manifest });
  }
  return published;
}

/** Whether two snapshots, or a snapshot and a source, hold prices of the same market. */
export function isSameSource(
  one: Pick<Manifest, "source" | "synthetic">,
  other: Pick<Manifest, "source" | "synthetic">,
): boolean {
  return one.source === other.source && one.synthetic === other.synthetic;
}
