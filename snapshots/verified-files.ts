import { basename, join, resolve } from "node:path";
import { readIfThere } from "./folder.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import {
  CHECKSUMS_FILE,
  MANIFEST_FILE,
  contentHashOf,
  decodeManifest,
  encodeChecksums,
} from "./manifest.ts";
import { FileReading } from "./file-reading.ts";
import type { Keep, ReadResult } from "./read-files.ts";
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

/** The manifest of a snapshot, checked against `SHA256SUMS` and against the name of its folder. */
export async function readManifest(dir: string): Promise<Manifest> {
  const id = basename(resolve(dir));
  if (parseSnapshotId(id) === undefined) {
    throw new SnapshotError(
      `"${dir}" is not the folder of a snapshot: its name is not a snapshot id`,
    );
  }
  const text = await textOf(dir, MANIFEST_FILE);
  const checksums = await textOf(dir, CHECKSUMS_FILE);
  const manifest = decode(id, text);
  if (!Array.isArray(manifest.files) || checksums !== encodeChecksums(manifest.files, text)) {
    throw new SnapshotError(`snapshot "${id}": ${MANIFEST_FILE} does not match ${CHECKSUMS_FILE}`);
  }
  if (manifest.id !== id || !id.endsWith(`-${contentHashOf(manifest)}`)) {
    throw new SnapshotError(`snapshot "${id}": the folder holds snapshot "${manifest.id}"`);
  }
  return manifest;
}

async function textOf(dir: string, name: string): Promise<string> {
  const what = `snapshot "${basename(resolve(dir))}": ${name}`;
  const text = await readIfThere(join(dir, name), what);
  if (text === undefined) throw new SnapshotError(`${what} is missing`);
  return text;
}

function decode(id: string, text: string): Manifest {
  try {
    return decodeManifest(text);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    throw new SnapshotError(`snapshot "${id}": ${error.message}`, { cause: error.cause });
  }
}
