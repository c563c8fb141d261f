import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { UNFINISHED_PREFIX, findCurrent, syncPath } from "./folder.ts";
import { SnapshotError } from "./snapshot-error.ts";
import { findPublished, isSameSource, listFromCurrent } from "./published.ts";
import { systemCodeOf } from "./system-code.ts";
import { verifySnapshot } from "./verified-files.ts";

/** How many snapshots are kept by default. */
export const SNAPSHOTS_KEPT = 7;

/** Receives what prevents a removal. The other removals still happen. */
type Report = (message: string) => void;

/**
 * Removes all but `keep` snapshots and returns the ids of those removed. Callers hold the lock. If the folder cannot
 * be read, nothing is removed and the failure is reported.
 *
 * The current snapshot always stays. If more than one is kept, so does the one of its source with the latest last
 * day: after a run that went back in time, only that one has the later months of the index. The rest are the newest.
 * If all of these are damaged, the newest whole one stays as well, because the history of the index may exist only
 * there. A snapshot is renamed before its files are removed, so no reader finds half of one under its name.
 */
export async function pruneSnapshots(
  root: string,
  keep: number,
  report: Report,
): Promise<string[]> {
  const old = await unlessRefused(report, async () => await oldIds(root, keep));
  const removed = (old ?? []).filter((id) => removeSnapshot(root, id, report));
  if (removed.length > 0) await unlessRefused(report, () => syncPath(root));
  return removed;
}

async function oldIds(root: string, keep: number): Promise<string[]> {
  const current = await findCurrent(root);
  const currentId = current === undefined ? undefined : basename(current);
  const ids = await listFromCurrent(root, currentId);
  const first = currentId === undefined ? [] : [currentId, ...(await furthestId(root))];
  const inOrder = [...new Set([...first, ...ids])];
  const old = inOrder.slice(keep);
  const whole = old.length > 0 ? await firstWhole(root, inOrder) : undefined;
  return old.filter((id) => id !== whole);
}

async function firstWhole(root: string, ids: readonly string[]): Promise<string | undefined> {
  for (const id of ids) {
    if ((await verifySnapshot(join(root, id))).length === 0) return id;
  }
  return undefined;
}

/** The result, or undefined if the folder or `CURRENT` cannot be read or written, which is reported. */
async function unlessRefused<T>(
  report: Report,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined && !(error instanceof SnapshotError)) throw error;
    report(`old snapshots cannot be removed: ${message}`);
    return undefined;
  }
}

/** The snapshot of the current one's source with the latest last day; on a tie the current one, then the newest. */
async function furthestId(root: string): Promise<string[]> {
  const published = (await findPublished(root)).map(({ manifest }) => manifest);
  const [current] = published;
  return published
    .filter((manifest) => current !== undefined && isSameSource(manifest, current))
    .toSorted((one, other) => other.asOf - one.asOf)
    .slice(0, 1)
    .map(({ id }) => id);
}

function removeSnapshot(root: string, id: string, report: Report): boolean {
  const aside = `${UNFINISHED_PREFIX}pruned-${id}`;
  try {
    rmSync(join(root, aside), { recursive: true, force: true });
    renameSync(join(root, id), join(root, aside));
  } catch (error) {
    report(notRemoved(root, id, error));
    return false;
  }
  removeLeftover(root, aside, report);
  return true;
}

/** Removes what killed runs left. Callers hold the lock, so no run is writing to it. */
export function removeLeftovers(root: string, report: Report): string[] {
  const leftovers = readdirSync(root).filter((name) => name.startsWith(UNFINISHED_PREFIX));
  return leftovers.filter((name) => removeLeftover(root, name, report));
}

function removeLeftover(root: string, name: string, report: Report): boolean {
  try {
    rmSync(join(root, name), { recursive: true, force: true });
    return true;
  } catch (error) {
    report(notRemoved(root, name, error));
    return false;
  }
}

function notRemoved(root: string, name: string, error: unknown): string {
  const reason = systemCodeOf(error) ?? (error as Error).message;
  return `"${join(root, name)}" cannot be removed (${reason}): remove it by hand`;
}
