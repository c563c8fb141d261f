import { hash } from "node:crypto";
import { open, readFile, type FileHandle } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Origin } from "../../api/attribution.ts";
import { DATABASE_FILE, listSnapshotIds } from "../../snapshots/folder.ts";
import {
  CHECKSUMS_FILE,
  encodeChecksums,
  MANIFEST_FILE,
  readManifest,
  type Manifest,
  type ManifestFile,
} from "../../snapshots/manifest.ts";
import { unlessDamaged } from "../../snapshots/snapshot-error.ts";
import { TABLES } from "../../snapshots/tables/tables.ts";

/** A published snapshot with its files by name: those of its manifest, and the two that describe it. */
export interface SentSnapshot {
  readonly dir: string;
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, ManifestFile>;
}

/** The published snapshots, whose files are sent. */
export interface TableFiles {
  /** Their ids, the newest first. */
  ids(): Promise<readonly string[]>;
  /** A snapshot of `ids`; undefined if it is damaged or gone by now. */
  find(id: string): Promise<SentSnapshot | undefined>;
  /** Opens a file, which has the size that the manifest says. Throws if it is damaged or gone. */
  open(snapshot: SentSnapshot, file: ManifestFile): Promise<FileHandle>;
}

/** The snapshots of a folder. A manifest is read once, since a snapshot never changes. */
export function tableFiles(root: string, onDamaged: (reason: string) => void): TableFiles {
  const known = new Map<string, SentSnapshot>();
  return {
    async ids() {
      const ids = await listSnapshotIds(root);
      for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
      return ids;
    },
    async find(id) {
      const found = known.get(id) ?? (await unlessDamaged(read(join(root, id)), onDamaged));
      if (found !== undefined) known.set(id, found);
      return found;
    },
    async open({ dir, manifest }, { name, bytes }) {
      const handle = await open(join(dir, name), "r");
      const { size } = await handle.stat();
      if (size === bytes) return handle;
      await handle.close();
      const reason = `${name} has ${size} bytes, the manifest of "${manifest.id}" says ${bytes}`;
      onDamaged(reason);
      throw new Error(reason);
    },
  };
}

async function read(dir: string): Promise<SentSnapshot> {
  const manifest = await readManifest(dir);
  const text = await readFile(join(dir, MANIFEST_FILE), "utf8");
  const about = [
    describe(MANIFEST_FILE, text),
    describe(CHECKSUMS_FILE, encodeChecksums(manifest.files, text)),
  ];
  const inside = manifest.files.filter(({ name }) => basename(name) === name);
  const files = [...inside, ...about].map((file) => [file.name, file] as const);
  return { dir, manifest, files: new Map(files) };
}

function describe(name: string, text: string): ManifestFile {
  return { name, bytes: Buffer.byteLength(text), rows: null, sha256: hash("sha256", text) };
}

const WITH_PRICES = new Set(TABLES.filter((table) => table.hasPrices).map(({ name }) => name));

/** The name of the table in a file; the file's own name without its ending if there is none. */
export function tableOfFile(name: string): string {
  return name.replace(/\.\w+$/, "");
}

/** Whether daily prices can be read from a file. */
export function hasPrices(name: string): boolean {
  return name === DATABASE_FILE || WITH_PRICES.has(tableOfFile(name));
}

/** Whether a file describes a snapshot. It is free. */
export function isAbout(name: string): boolean {
  return name === MANIFEST_FILE || name === CHECKSUMS_FILE;
}

export function originOf({ source: prices, id: snapshot, asOf, synthetic }: Manifest): Origin {
  return { prices, snapshot, asOf, stale: false, synthetic };
}
