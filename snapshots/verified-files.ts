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
  /** Whether one of the problems is that the system refuses to read a file. */
  readonly isRefused?: boolean;
}

/** Small enough to be still in the processor's cache when it is hashed. */
const SLICE_BYTES = 256 * 1024;

/**
 * The files that a server keeps in memory: those of the tables that `openSnapshot` provides. Opening fails if one is
 * missing here.
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
 * Reads files of a snapshot one after the other and checks them against the manifest. No other file is opened, so
 * somebody who changes another file, as DuckDB's shell does, stops no server. It takes a millisecond per megabyte, and
 * awaits `rest` after each slice. Throws SnapshotError when no manifest can be trusted; damaged files are listed as
 * problems.
 */
export async function verifyFiles(
  dir: string,
  wanted: Wanted,
  rest?: () => Promise<unknown>,
): Promise<VerifiedFiles> {
  const manifest = await readManifest(dir);
  const contents = new Map<string, Uint8Array>();
  const problems: string[] = [];
  let isRefused = false;
  for (const file of manifest.files) {
    if (wanted !== "all" && !wanted.includes(file.name)) continue;
    try {
      const { bytes, sha256, kept } = await readFile(join(dir, file.name), wanted !== "all", rest);
      if (kept !== undefined) contents.set(file.name, kept);
      problems.push(...mismatches(file, bytes, sha256));
    } catch (error) {
      problems.push(`${file.name} ${refusal(error as NodeJS.ErrnoException)}`);
      isRefused ||= (error as NodeJS.ErrnoException).code !== "ENOENT";
    }
  }
  return { manifest, contents, problems, ...(isRefused && { isRefused }) };
}

/** As `verifyFiles`, but throws when one of the files is damaged. */
export async function readVerified(dir: string, names: readonly string[]): Promise<VerifiedFiles> {
  return wholeOnly(await verifyFiles(dir, names));
}

export function wholeOnly(files: VerifiedFiles): VerifiedFiles {
  const { manifest, problems, isRefused = false } = files;
  if (problems.length === 0) return files;
  const [fault, said] = isRefused
    ? (["unreadable", "cannot be read"] as const)
    : (["damaged", "is damaged"] as const);
  throw new SnapshotError(`snapshot "${manifest.id}" ${said}: ${problems.join("; ")}`, { fault });
}

/** Recomputes every checksum of a snapshot. Returns its problems in plain words; empty when it is whole. */
export async function verifySnapshot(dir: string): Promise<readonly string[]> {
  try {
    return (await verifyFiles(dir, "all")).problems;
  } catch (error) {
    if (error instanceof SnapshotError) return [error.message];
    throw error;
  }
}

function mismatches({ name, bytes, sha256 }: ManifestFile, size: number, digest: string): string[] {
  if (size !== bytes) return [`${name} has ${size} bytes, the manifest says ${bytes}`];
  if (digest === sha256) return [];
  return [`${name} does not match its SHA-256 checksum: its content was changed`];
}

/** Throws what is not a refusal of the system: a defect. */
function refusal(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "is missing";
  if (error.code === undefined || error.syscall === undefined) throw error;
  return `cannot be read (${error.code})`;
}

async function readFile(path: string, isKept: boolean, rest?: () => Promise<unknown>) {
  const fd = openSync(path, "r");
  try {
    const kept = isKept ? new Uint8Array(new SharedArrayBuffer(fstatSync(fd).size)) : undefined;
    const slice = kept ?? new Uint8Array(SLICE_BYTES);
    const hash = createHash("sha256");
    let bytes = 0;
    for (;;) {
      const at = kept === undefined ? 0 : bytes;
      const read = readSync(fd, slice, at, Math.min(SLICE_BYTES, slice.length - at), bytes);
      if (read === 0) break; // a kept file that became longer no longer matches the manifest either
      hash.update(slice.subarray(at, at + read));
      bytes += read;
      await rest?.();
    }
    return { bytes, sha256: hash.digest("hex"), kept };
  } finally {
    closeSync(fd);
  }
}
