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
import { parseSnapshotId } from "./snapshot-id.ts";
import { PUBLISHED_FILE, PUBLISHED_FOLDER } from "./write-file.ts";

/** Within a snapshot, the file with all tables. */
export const DATABASE_FILE = "hindsight.duckdb";
/** Names the current snapshot: one line with the name of its folder. */
export const CURRENT_FILE = "CURRENT";
/** Prefix of everything unfinished. Because of its dot, no reader mistakes it for a snapshot. */
export const UNFINISHED_PREFIX = ".unfinished-";

/** Folder of the current snapshot, not verified, or undefined when none was published. */
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
    .flatMap((entry) => {
      const id = entry.isDirectory() ? parseSnapshotId(entry.name) : undefined;
      return id === undefined ? [] : [{ name: entry.name, instantMs: id.instantMs }];
    })
    .sort((a, b) => b.instantMs - a.instantMs || (a.name < b.name ? 1 : -1))
    .map(({ name }) => name);
}

/**
 * Points `CURRENT` at a snapshot: written aside, fsynced, renamed. Synchronous, so that no signal is handled in
 * between. Once readers see the new one, this no longer throws; if the disk does not confirm it, `report` is called.
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
 * The text of a file, or undefined when it does not exist. Throws a SnapshotError that names the file and the
 * system's code when it cannot be read.
 */
export async function readIfThere(path: string, what: string): Promise<string | undefined> {
  return await unlessMissing(readFile(path, "utf8")).catch((error: NodeJS.ErrnoException) => {
    throw new SnapshotError(`${what} cannot be read (${error.code})`, {
      cause: error,
      fault: "unreadable",
    });
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
