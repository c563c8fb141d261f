import { join } from "node:path";
import { FileReader } from "./file-reader.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import type { ReadResult } from "./read-files.ts";
import { SnapshotError } from "./snapshot-error.ts";

/** The manifest of a snapshot, the requested files, and everything that is wrong with it. */
export interface VerifiedFiles {
  readonly manifest: Manifest;
  /** By file name. These are the bytes that were hashed. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** In plain words; empty when the snapshot is whole. */
  readonly problems: readonly string[];
}

/**
 * Reads the wanted files of a snapshot once, on another thread, and checks them against the manifest.
 * `keep` tells by file name whether the bytes stay in memory; by default only those that do are read, so that a
 * reader who changes another file, as DuckDB's shell does, stops no server. Throws SnapshotError when there is no
 * manifest that can be trusted; a damaged file only goes into the list of problems.
 */
export async function verifyFiles(
  dir: string,
  keep: (name: string) => boolean,
  reader = new FileReader(),
  isWanted: (name: string) => boolean = keep,
): Promise<VerifiedFiles> {
  const manifest = await reader.manifest(dir).catch((error: unknown) => {
    reader.close();
    throw error;
  });
  // Largest first, so that the threads which share the work finish together.
  const files = manifest.files
    .filter(({ name }) => isWanted(name))
    .toSorted((a, b) => b.bytes - a.bytes);
  const wanted = files.map(({ name }) => ({ path: join(dir, name), keep: keep(name) }));
  const read = await reader.read(wanted);
  const contents = new Map<string, Uint8Array>();
  const problems = files.map((file, place) => {
    const found = read[place];
    if (found !== undefined && "bytes" in found) contents.set(file.name, found.bytes);
    return problemOf(file, found);
  });
  return { manifest, contents, problems: problems.filter((problem) => problem !== undefined) };
}

/**
 * Some files of a snapshot in shared memory, checked against their checksums; no others are read. Throws
 * when one is damaged.
 */
export async function readVerified(
  dir: string,
  names: readonly string[],
  reader = new FileReader(),
): Promise<Omit<VerifiedFiles, "problems">> {
  const isWanted = (name: string) => names.includes(name);
  const { manifest, contents, problems } = await verifyFiles(dir, () => true, reader, isWanted);
  if (problems.length === 0) return { manifest, contents };
  throw new SnapshotError(`snapshot "${manifest.id}" is damaged: ${problems.join("; ")}`);
}

function problemOf({ name, bytes, sha256 }: ManifestFile, found: ReadResult): string | undefined {
  if (found === undefined) return `${name} is missing`;
  if ("refusal" in found) return `${name} cannot be read (${found.refusal})`;
  const { digest } = found;
  if (digest.bytes !== bytes)
    return `${name} has ${digest.bytes} bytes, the manifest says ${bytes}`;
  if (digest.sha256 !== sha256) {
    return `${name} does not match its SHA-256 checksum: its content was changed`;
  }
  return undefined;
}
