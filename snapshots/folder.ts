import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { SnapshotError } from "./snapshot-error.ts";
import type { SnapshotId } from "./snapshot-id.ts";
import { parseSnapshotId } from "./snapshot-id.ts";
import { PUBLISHED_FILE, PUBLISHED_FOLDER } from "./write-file.ts";

/** Within a snapshot, the file with all tables. */
export const DATABASE_FILE = "hindsight.duckdb";
/** Names the current snapshot: one line with the name of its folder. */
const CURRENT_FILE = "CURRENT";
/**
 * Prefix of everything that a run has not finished. It starts with a dot, so no reader mistakes it for a
 * snapshot.
 */
export const UNFINISHED_PREFIX = ".unfinished-";

/**
 * Folder of the current snapshot, or undefined when none was published. It is not verified here;
 * `openSnapshot` does that.
 */
export async function findCurrent(root: string): Promise<string | undefined> {
  const path = join(root, CURRENT_FILE);
  const text = await readIfThere(path, `"${path}"`);
  if (text === undefined) return undefined;
  const id = text.trim();
  if (parseSnapshotId(id) === undefined) {
    throw new SnapshotError(`"${path}" does not name a snapshot: "${id.slice(0, 80)}"`);
  }
  return join(root, id);
}

/** Makes the folder of snapshots, and its parents, unless they exist. */
export function ensureFolder(root: string): void {
  if (resolve(root).includes("?")) {
    throw new SnapshotError(`DuckDB writes no files where a path has a "?": "${resolve(root)}"`);
  }
  try {
    makeFolder(resolve(root), PUBLISHED_FOLDER);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SnapshotError(`the folder "${root}" cannot be made (${code})`, { cause: error });
  }
  if (!statSync(root).isDirectory()) throw new SnapshotError(`"${root}" is not a folder`);
}

/** Names of all published snapshots, newest run first. Empty when the folder does not exist. */
export async function listSnapshotIds(root: string): Promise<string[]> {
  const entries = (await unlessMissing(readdir(root, { withFileTypes: true }))) ?? [];
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, id: parseSnapshotId(name) }))
    .filter((entry): entry is { name: string; id: SnapshotId } => entry.id !== undefined)
    .sort((a, b) => b.id.instantMs - a.id.instantMs || (a.name < b.name ? 1 : -1))
    .map(({ name }) => name);
}

/**
 * Points `CURRENT` at a snapshot: written aside, fsynced, renamed. Synchronous, so that no signal is
 * handled in between. Once readers have the new one, this no longer throws: `report` is called if the disk
 * does not confirm it.
 */
export function writeCurrent(
  root: string,
  id: string,
  report: (message: string) => void = () => {},
): void {
  const aside = join(root, `${UNFINISHED_PREFIX}${CURRENT_FILE}`);
  writeFileSync(aside, `${id}\n`);
  chmodSync(aside, PUBLISHED_FILE);
  syncPath(aside);
  try {
    renameSync(aside, join(root, CURRENT_FILE));
    syncPath(root);
  } catch (error) {
    // A file system over a network may have done what it reports as failed.
    if (!isCurrent(root, id)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    report(
      `"${id}" is in force, but the disk does not confirm that it stays so after a power loss (${code})`,
    );
  }
}

/** Whether `CURRENT` names a snapshot, by its text alone. */
export function isCurrent(root: string, id: string): boolean {
  const path = join(root, CURRENT_FILE);
  return existsSync(path) && readFileSync(path, "utf8").trim() === id;
}

/** Waits until a file's content, or a folder's list of names, is on disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * The text of a file, or undefined when it does not exist. Throws SnapshotError, with the code of the
 * system, when it cannot be read: a bad block or a permission must not hide which file it is.
 */
export async function readIfThere(path: string, what: string): Promise<string | undefined> {
  return await unlessMissing(readFile(path, "utf8")).catch((error: NodeJS.ErrnoException) => {
    throw new SnapshotError(`${what} cannot be read (${error.code})`, { cause: error });
  });
}

/** The result, or undefined when the file or folder does not exist. */
async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
