import { basename, join, resolve } from "node:path";
import { readIfThere } from "./folder.ts";
import type { Manifest } from "./manifest.ts";
import {
  CHECKSUMS_FILE,
  MANIFEST_FILE,
  contentHashOf,
  decodeManifest,
  encodeChecksums,
} from "./manifest.ts";
import { SnapshotError } from "./snapshot-error.ts";
import { parseSnapshotId } from "./snapshot-id.ts";

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
