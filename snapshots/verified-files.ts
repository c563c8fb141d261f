import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, type ManifestFile, readManifest } from "./manifest.ts";
import { SnapshotError } from "./snapshot-error.ts";

/** Files to read into memory, by name, or all of them to check their checksums only. */
export type Wanted = readonly string[] | "all";

/** The manifest of a snapshot, the requested files, and everything that is wrong with it. */
export interface VerifiedFiles {
  readonly manifest: Manifest;
  /** By file name, in memory that threads share: exactly the bytes that were hashed. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** In plain words; empty when the snapshot is whole. */
  readonly problems: readonly string[];
}

export interface Reading {
  /** Called after each slice of a quarter of a megabyte. */
  readonly rest?: () => void;
  /** Takes each file as soon as it is read; without it they are in `contents`. */
  readonly take?: (name: string, bytes: Uint8Array) => void;
}

/** Small enough to be still in the core's own cache when it is hashed. */
const SLICE_BYTES = 256 * 1024;

/**
 * The files that a server keeps in memory: those of the tables that `openSnapshot` provides. They are named here so that
 * they can be read before the code that knows the tables is loaded. Opening fails if one is missing here.
 */
export const SERVED_FILES: Wanted = [
  "prices",
  "indicators",
  "dca",
  "buy_hold",
  "dataset",
  "dataset_aggregates",
  "dataset_cells",
  "dataset_picks",
  "dataset_robustness",
  "dataset_runs",
  "overfitting_index",
  "overfitting_index_draws",
  "rating_worth",
].map((table) => `${table}.arrow`);

/**
 * Reads files of a snapshot one after the other and checks them against the manifest. No others are opened, so that a
 * reader who changes another file, as DuckDB's shell does, stops no server. It blocks the calling thread for a
 * millisecond per megabyte. Throws SnapshotError when there is no manifest that can be trusted; a damaged file only goes
 * into the list of problems.
 */
export async function verifyFiles(
  dir: string,
  wanted: Wanted,
  { rest = () => {}, take }: Reading = {},
): Promise<VerifiedFiles> {
  const manifest = await readManifest(dir);
  const contents = new Map<string, Uint8Array>();
  const keep = take ?? ((name, bytes) => void contents.set(name, bytes));
  const problems: string[] = [];
  for (const file of manifest.files) {
    if (wanted !== "all" && !wanted.includes(file.name)) continue;
    const keepFile = wanted === "all" ? undefined : (bytes: Uint8Array) => keep(file.name, bytes);
    const problem = problemOf(join(dir, file.name), file, { rest, keep: keepFile });
    if (problem !== undefined) problems.push(problem);
  }
  return { manifest, contents, problems };
}

/** As `verifyFiles`, but throws when one of the files is damaged. */
export async function readVerified(dir: string, names: readonly string[]): Promise<VerifiedFiles> {
  return wholeOnly(await verifyFiles(dir, names));
}

export function wholeOnly(files: VerifiedFiles): VerifiedFiles {
  const { manifest, problems } = files;
  if (problems.length === 0) return files;
  throw new SnapshotError(`snapshot "${manifest.id}" is damaged: ${problems.join("; ")}`);
}

interface FileReading {
  readonly rest: () => void;
  readonly keep: ((bytes: Uint8Array) => void) | undefined;
}

/** What is wrong with a file; undefined if nothing is. */
function problemOf(path: string, file: ManifestFile, reading: FileReading): string | undefined {
  const { name, bytes, sha256 } = file;
  try {
    const digest = digestOf(path, reading);
    if (digest.bytes !== bytes)
      return `${name} has ${digest.bytes} bytes, the manifest says ${bytes}`;
    if (digest.sha256 === sha256) return undefined;
    return `${name} does not match its SHA-256 checksum: its content was changed`;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return `${name} is missing`;
    if (code === undefined || syscall === undefined) throw error;
    return `${name} cannot be read (${code})`;
  }
}

function digestOf(path: string, { rest, keep }: FileReading) {
  const fd = openSync(path, "r");
  try {
    const kept = keep && new Uint8Array(new SharedArrayBuffer(fstatSync(fd).size));
    const slice = kept ?? new Uint8Array(SLICE_BYTES);
    const hash = createHash("sha256");
    let bytes = 0;
    for (;;) {
      const at = kept === undefined ? 0 : bytes;
      const read = readSync(fd, slice, at, Math.min(SLICE_BYTES, slice.length - at), bytes);
      if (read === 0) break; // a kept file that became longer no longer matches the manifest either
      hash.update(slice.subarray(at, at + read));
      bytes += read;
      rest();
    }
    if (kept !== undefined) keep!(kept);
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    closeSync(fd);
  }
}
