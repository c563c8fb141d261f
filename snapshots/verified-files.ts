import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { FileDigest } from "./checksum.ts";
import { unlessMissing } from "./folder.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import {
  CHECKSUMS_FILE,
  MANIFEST_FILE,
  contentHashOf,
  decodeManifest,
  encodeChecksums,
} from "./manifest.ts";
import { FileReading } from "./file-reading.ts";
import type { Keep } from "./read-files.ts";
import { SnapshotError } from "./snapshot-error.ts";
import { parseSnapshotId } from "./snapshot-id.ts";

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
 * `keep` tells by file name whether the bytes stay in memory. Throws SnapshotError when there is no
 * manifest that can be trusted; a damaged file only goes into the list of problems.
 */
export async function verifyFiles(
  dir: string,
  keep: (name: string) => Keep | undefined,
  reading = new FileReading(),
  isWanted: (name: string) => boolean = () => true,
): Promise<VerifiedFiles> {
  const manifest = await readManifest(dir).catch((error: unknown) => {
    reading.close();
    throw error;
  });
  // Largest first, so that the threads which share the work finish together.
  const files = manifest.files
    .filter(({ name }) => isWanted(name))
    .toSorted((a, b) => b.bytes - a.bytes);
  const wanted = files.map(({ name }) => ({ path: join(dir, name), keep: keep(name) }));
  const read = await reading.read(wanted);
  const contents = new Map<string, Uint8Array>();
  const problems = files.map((file, place) => {
    const { digest, bytes } = read[place] ?? {};
    if (bytes !== undefined) contents.set(file.name, bytes);
    return problemOf(file, digest);
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
  reading = new FileReading(),
): Promise<Omit<VerifiedFiles, "problems">> {
  const isWanted = (name: string) => names.includes(name);
  const { manifest, contents, problems } = await verifyFiles(
    dir,
    () => "shared",
    reading,
    isWanted,
  );
  if (problems.length === 0) return { manifest, contents };
  throw new SnapshotError(`snapshot "${manifest.id}" is damaged: ${problems.join("; ")}`);
}

function problemOf(expected: ManifestFile, found: FileDigest | undefined): string | undefined {
  if (found === undefined) return `${expected.name} is missing`;
  if (found.bytes !== expected.bytes) {
    return `${expected.name} has ${found.bytes} bytes, the manifest says ${expected.bytes}`;
  }
  if (found.sha256 !== expected.sha256) {
    return `${expected.name} does not match its SHA-256 checksum: its content was changed`;
  }
  return undefined;
}

/** The manifest of a snapshot, checked against `SHA256SUMS` and against the name of its folder. */
export async function readManifest(dir: string): Promise<Manifest> {
  const id = basename(resolve(dir));
  if (parseSnapshotId(id) === undefined) {
    throw new SnapshotError(
      `"${dir}" is not the folder of a snapshot: its name is not a snapshot id`,
    );
  }
  const text = await unlessMissing(readFile(join(dir, MANIFEST_FILE), "utf8"));
  if (text === undefined) throw new SnapshotError(`snapshot "${id}": ${MANIFEST_FILE} is missing`);
  const checksums = await unlessMissing(readFile(join(dir, CHECKSUMS_FILE), "utf8"));
  if (checksums === undefined) {
    throw new SnapshotError(`snapshot "${id}": ${CHECKSUMS_FILE} is missing`);
  }
  const manifest = decode(id, text);
  if (!Array.isArray(manifest.files) || checksums !== encodeChecksums(manifest.files, text)) {
    throw new SnapshotError(`snapshot "${id}": ${MANIFEST_FILE} does not match ${CHECKSUMS_FILE}`);
  }
  if (manifest.id !== id || !id.endsWith(`-${contentHashOf(manifest)}`)) {
    throw new SnapshotError(`snapshot "${id}": the folder holds snapshot "${manifest.id}"`);
  }
  return manifest;
}

function decode(id: string, text: string): Manifest {
  try {
    return decodeManifest(text);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    throw new SnapshotError(`snapshot "${id}": ${error.message}`, { cause: error.cause });
  }
}
