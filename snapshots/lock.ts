import { realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { SnapshotError } from "./snapshot-error.ts";

/** An empty database that stays in the folder: if it were removed, two runs could lock two files of this name. */
export const LOCK_FILE = ".lock.duckdb";

/** Folders that this process has locked: the system's lock only holds between processes. */
const held = new Set<string>();

/**
 * Takes the lock of a folder, so that only one run at a time writes to it. DuckDB locks a file that it has open for
 * writing, and the system drops that lock when the process ends, however it ends.
 */
export async function takeLock(root: string) {
  const folder = realpathSync(root);
  if (held.has(folder)) throw heldError(root, `process ${process.pid}`);
  held.add(folder);
  try {
    const file = await openLocked(join(folder, LOCK_FILE));
    let isHeld = true;
    return {
      /** Harmless when called twice. */
      release() {
        if (!isHeld) return;
        isHeld = false;
        file.closeSync();
        held.delete(folder);
      },
    };
  } catch (error) {
    held.delete(folder);
    throw refusal(root, error as Error);
  }
}

/**
 * A full disk or a power cut may leave half a file, which is made anew. A file that is locked fails before it is
 * read.
 */
async function openLocked(path: string): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(path, { threads: "1" });
  } catch (error) {
    if (!/not a valid DuckDB database/.test((error as Error).message)) throw error;
    rmSync(path);
    return await DuckDBInstance.create(path, { threads: "1" });
  }
}

function refusal(root: string, error: Error): SnapshotError {
  const path = join(root, LOCK_FILE);
  const [, other] = /Conflicting lock is held in .*\((PID \d+)\)/.exec(error.message) ?? [];
  if (other !== undefined) return heldError(root, other.replace("PID", "process"));
  if (/Permission denied|Read-only file system/.test(error.message)) {
    return new SnapshotError(`this user cannot write to the folder "${root}"`, { cause: error });
  }
  return new SnapshotError(`the lock "${path}" cannot be taken: ${error.message}`, {
    cause: error,
  });
}

function heldError(root: string, who: string): SnapshotError {
  return new SnapshotError(
    `another run is writing snapshots here: ${who} holds "${join(root, LOCK_FILE)}"`,
  );
}
