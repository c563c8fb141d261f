import { createHash, randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { open, readdir, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { DATABASE_FILE, UNFINISHED_PREFIX, isCurrent, syncPath, writeCurrent } from "./folder.ts";
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
import { streamOf, type Table, type TableRows } from "./tables/table.ts";
import { PUBLISHED_FOLDER, protectFile, writeWhole } from "./write-file.ts";

const REMOVAL_RETRIES_MAX = 5;
const SLICE_BYTES = 1 << 20;

/** The part of the manifest that cannot be derived from the files. */
export type SnapshotFacts = Omit<Manifest, "formatVersion" | "id" | "createdAt" | "files"> & {
  /** Instant of the run, milliseconds since 1970. */
  readonly instantMs: number;
};

export type SnapshotWriter = Awaited<ReturnType<typeof beginSnapshot>>;

/**
 * Begins a snapshot in a hidden folder beside the published ones. Readers see nothing of it before `publish`, which
 * makes it visible with one rename. The caller holds the lock until it is published or abandoned.
 */
export async function beginSnapshot(root: string) {
  const folder = join(root, `${UNFINISHED_PREFIX}${randomUUID()}`);
  mkdirSync(folder);
  const files = await openThreadedTableWriter(folder);
  const rowsOf = new Map<string, number>();
  const described: ManifestFile[] = [];
  return {
    /**
     * Writes one table to all its files, on a separate thread. Resolves when its last row has been handed over, and
     * throws any failure so far. The table is complete when `written` resolves; `settle` waits for all tables.
     */
    async takeTable(table: Table, given: TableRows) {
      const { texts, blocks } = streamOf(table, given);
      files.begin(table, texts).catch(() => {}); // the next call fails with it
      let rows = 0;
      for await (const block of blocks) {
        rows += block.rows;
        await files.append(block);
      }
      rowsOf.set(table.name, rows);
      const written = files.end();
      written.catch(() => {}); // handled where it is awaited
      return { rows, written };
    },
    /** Waits until all tables are written and the database is closed. Throws the first failure. */
    async settle() {
      await files.finish();
      const whole = (await readdir(folder)).filter((name) => !name.startsWith(DATABASE_FILE));
      // Closing the database keeps one core busy, so the other files are read at the same time. Even if one cannot be
      // read, the database is closed before the folder is removed and the thread ends.
      const closed = files.close();
      const work = Promise.all([describeFiles(folder, whole, rowsOf), closed]);
      await Promise.allSettled([work, closed]);
      described.push(...(await work)[0]);
    },
    /**
     * Makes the snapshot the current one, or throws and has changed nothing that readers see. `report` receives
     * failures after it became current.
     */
    async publish(facts: SnapshotFacts, report: (message: string) => void) {
      const known = described.map(({ name }) => name);
      const left = (await readdir(folder)).filter((name) => !known.includes(name));
      described.push(...(await describeFiles(folder, left, rowsOf)));
      described.sort((one, other) => (one.name < other.name ? -1 : 1));
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
      unlessRefused(() => chmodSync(folder, PUBLISHED_FOLDER)); // a file system may have no modes
      syncPath(folder);
      // Nothing awaits from here to the end, so no signal is handled between the two renames.
      putInForce(root, { folder, id: manifest.id, report });
      return manifest;
    },
    /**
     * Removes everything that was written, at once, and resolves when nothing is being written any more. For failures
     * and for signals, which need not wait. Never rejects: the next run removes what is left. Harmless after `publish`.
     */
    async abandon() {
      const ended = files.abandon();
      unlessRefused(() => removeFolder(folder));
      await ended.catch(() => {}); // the failure behind it is already reported
      unlessRefused(() => removeFolder(folder)); // a table that was begun in the meantime
    },
  };
}

/**
 * Gives the finished folder its name and points `CURRENT` at it. If that fails, the folder loses the name again: a
 * run that ends with an error leaves no snapshot behind.
 */
export function putInForce(
  root: string,
  { folder, id, report }: { folder: string; id: string; report: (message: string) => void },
): void {
  const published = join(root, id);
  try {
    renameSync(folder, published);
    syncPath(root);
    writeCurrent(root, id, report);
  } catch (error) {
    unlessRefused(() => {
      if (!isCurrent(root, id)) renameSync(published, folder);
    });
    throw error;
  }
}

/** Size, rows and checksum of files in the folder. They are read-only and on disk when this returns. */
async function describeFiles(
  folder: string,
  names: readonly string[],
  rowsOf: ReadonlyMap<string, number>,
): Promise<ManifestFile[]> {
  return await Promise.all(
    names.map(async (name) => {
      const file = await open(join(folder, name), "r");
      try {
        await protectFile(file);
        const [digest] = await Promise.all([digestOf(file), file.sync()]);
        const table = name.replace(/\.(parquet|arrow)$/, "");
        const { bytes, sha256 } = digest;
        return { name, bytes, rows: rowsOf.get(table) ?? null, sha256 };
      } finally {
        await file.close();
      }
    }),
  );
}

/** Reads slice by slice, so that meanwhile the database is closed and signals are handled. */
async function digestOf(file: FileHandle): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  const slice = new Uint8Array(SLICE_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(slice, 0, SLICE_BYTES, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    hash.update(slice.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

/** The run's instant, or the first millisecond after it whose name is free. */
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

/** Ignores a refusal of the system, in work that is optional or that cleans up after a failure already reported. */
function unlessRefused(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
  }
}

/**
 * Removes a folder that DuckDB may still be writing to. It is renamed first, so that no further file can be created
 * in it.
 */
function removeFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const aside = `${folder}-abandoned`;
  renameSync(folder, aside);
  rmSync(aside, { recursive: true, force: true, maxRetries: REMOVAL_RETRIES_MAX });
}
