import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { digestFile } from "./checksum.ts";
import { UNFINISHED_PREFIX, syncPath, writeCurrent } from "./folder.ts";
import type { SnapshotLock } from "./lock.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import {
  CHECKSUMS_FILE,
  FORMAT_VERSION,
  MANIFEST_FILE,
  contentHashOf,
  encodeChecksums,
  encodeManifest,
} from "./manifest.ts";
import { formatSnapshotId } from "./snapshot-id.ts";
import { openThreadedTableWriter } from "./table-writer-thread.ts";
import type { Table, TableRows } from "./tables/table.ts";
import { streamOf } from "./tables/table.ts";
import { writeWhole } from "./write-file.ts";

const REMOVAL_RETRIES_MAX = 5;

/** What the manifest says that the files do not. */
export type SnapshotFacts = Omit<Manifest, "formatVersion" | "id" | "createdAt" | "files"> & {
  /** Instant of the run, milliseconds since 1970. */
  readonly instantMs: number;
};

/**
 * A snapshot in the making, in a hidden folder beside the published ones. Nothing a reader sees changes before
 * `publish`, and `publish` changes it by one rename.
 */
export interface SnapshotWriter {
  /**
   * Takes one table for everywhere it stands, and writes it on a thread of its own. Resolves when the last of its rows was
   * taken; throws what was met so far. Parts of it may still be under way behind `written`: `settle` waits for them.
   */
  takeTable(table: Table, rows: TableRows): Promise<TakenTable>;
  /** Waits until all tables are written and closes the database. Throws what any of them met. */
  settle(): Promise<void>;
  publish(facts: SnapshotFacts): Promise<Manifest>;
  /**
   * Removes everything that was written, at once; resolves when nothing writes any more. For failures and signals: a signal need
   * not wait. Harmless after `publish`.
   */
  abandon(): Promise<void>;
}

export interface TakenTable {
  readonly rows: number;
  readonly written: Promise<void>;
}

/** Begins a snapshot in `root`. The caller holds the lock until it was published or abandoned. */
export async function beginSnapshot(root: string, lock: SnapshotLock): Promise<SnapshotWriter> {
  const folder = join(root, `${UNFINISHED_PREFIX}${randomUUID()}`);
  mkdirSync(folder);
  const files = await openThreadedTableWriter(folder);
  const rowsOf = new Map<string, number>();
  return {
    async takeTable(table, given) {
      const { texts, blocks } = streamOf(table, given);
      const open = files.begin(table, texts);
      let rows = 0;
      for await (const block of blocks) {
        rows += block.rows;
        await open.append(block);
      }
      rowsOf.set(table.name, rows);
      const written = open.end();
      written.catch(() => {}); // whoever waits for it meets it
      return { rows, written };
    },
    settle: async () => await files.close(),
    async publish(facts) {
      const described = await describeFiles(folder, rowsOf);
      const { instantMs, ...rest } = facts;
      const free = freeInstant(root, { ...facts, files: described }, instantMs);
      const manifest: Manifest = {
        formatVersion: FORMAT_VERSION,
        id: free.id,
        createdAt: new Date(free.instantMs).toISOString(),
        ...rest,
        files: described,
      };
      const text = encodeManifest(manifest);
      await writeWhole(join(folder, MANIFEST_FILE), text);
      await writeWhole(join(folder, CHECKSUMS_FILE), encodeChecksums(described, text));
      syncPath(folder);
      lock.check();
      // From here to the end nothing awaits, so that no signal can fall between the two renames.
      renameSync(folder, join(root, manifest.id));
      syncPath(root);
      writeCurrent(root, manifest.id);
      return manifest;
    },
    async abandon() {
      const ended = files.abandon();
      removeFolder(folder);
      await ended;
      removeFolder(folder); // a table that was begun meanwhile
    },
  };
}

/** Size, rows and checksum of every file in the folder, by name; each is on the disk when this returns. */
async function describeFiles(
  folder: string,
  rowsOf: ReadonlyMap<string, number>,
): Promise<ManifestFile[]> {
  const names = (await readdir(folder)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const [digest] = await Promise.all([digestFile(path), syncFile(path)]);
      const table = name.replace(/\.(parquet|arrow)$/, "");
      return { name, bytes: digest.bytes, rows: rowsOf.get(table) ?? null, sha256: digest.sha256 };
    }),
  );
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The run's instant, or the first millisecond after it whose name is not taken. */
function freeInstant(
  root: string,
  content: Pick<Manifest, "asOf" | "source" | "synthetic" | "files">,
  from: number,
): { id: string; instantMs: number } {
  const contentHash = contentHashOf(content);
  for (let instantMs = from; ; instantMs++) {
    const id = formatSnapshotId({ asOf: content.asOf, instantMs, contentHash });
    if (!existsSync(join(root, id))) return { id, instantMs };
  }
}

/**
 * Removes a folder that DuckDB may still be writing into: renamed first, so that they find no place for
 * another file in it.
 */
function removeFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const aside = `${folder}-abandoned`;
  renameSync(folder, aside);
  rmSync(aside, { recursive: true, force: true, maxRetries: REMOVAL_RETRIES_MAX });
}
