import { basename, join } from "node:path";
import { findCurrent, listSnapshotIds } from "./folder.ts";
import type { Manifest } from "./manifest.ts";
import { unlessDamaged } from "./snapshot-error.ts";
import { readManifest } from "./verified-files.ts";

/** A snapshot as it describes itself. Its other files are verified by whoever reads them. */
export interface PublishedSnapshot {
  readonly dir: string;
  readonly manifest: Manifest;
}

/**
 * The snapshots of a folder: the current one first, then the others from the newest run on. `onDamaged` is
 * told about manifests that cannot be trusted, and about a `CURRENT` that names no snapshot.
 */
export async function findPublished(
  root: string,
  onDamaged: (message: string) => void = () => {},
): Promise<PublishedSnapshot[]> {
  const current = await unlessDamaged(findCurrent(root), onDamaged);
  const ids = new Set(current === undefined ? [] : [basename(current)]);
  for (const id of await listSnapshotIds(root)) ids.add(id);
  const published: PublishedSnapshot[] = [];
  for (const id of ids) {
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
