import { createHash } from "node:crypto";
import { chmodSync, createReadStream, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { open, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import PQueue from "p-queue";
import {
  CURRENT_FILE,
  DATABASE_FILE,
  UNFINISHED_PREFIX,
  ensureFolder,
  findCurrent,
  listSnapshotIds,
  syncPath,
  writeCurrent,
} from "./folder.ts";
import { takeLock } from "./lock.ts";
import { CHECKSUMS_FILE, MANIFEST_FILE, readManifest, type ManifestFile } from "./manifest.ts";
import { SNAPSHOTS_KEPT, pruneSnapshots } from "./prune.ts";
import { SnapshotError } from "./snapshot-error.ts";
import { parseSnapshotId } from "./snapshot-id.ts";
import { TABLES } from "./tables/tables.ts";
import { verifySnapshot } from "./verified-files.ts";
import { PUBLISHED_FOLDER, protectFile } from "./write-file.ts";
import { putInForce } from "./writer.ts";

export interface PullOptions {
  readonly root: string;
  /** `https://host/v1/snapshots`, or the address of any copy of a folder of snapshots. */
  readonly url: string;
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  /** Receives what does not end the pull. */
  readonly report: (message: string) => void;
  readonly onBytes?: (done: number, all: number) => void;
  /** Seconds between tries, for tests. */
  readonly waits?: readonly number[];
}

const CURRENT_BYTES_MAX = 200;
const TEXT_BYTES_MAX = 1024 * 1024;
const BYTES_MAX = 20 * 1024 ** 3;
const AT_ONCE = 2;
const WAITS = [1, 4, 16];
const RETRY_AFTER_MAX = 60;
const IDLE_MS = 30_000;

/** A failure that another try may not have. */
class Passing extends Error {
  readonly afterSeconds: number | undefined;

  constructor(message: string, afterSeconds?: number) {
    super(message);
    this.afterSeconds = afterSeconds;
  }
}

/**
 * Fetches a snapshot and makes it the current one, or throws and has changed nothing that readers see. What was fetched
 * before a failure is continued by the next pull. It proves that the folder has what the origin names, not that the origin
 * is honest.
 */
export async function pullSnapshot(options: PullOptions): Promise<{ id: string; isNew: boolean }> {
  const { root, report } = options;
  ensureFolder(root);
  const lock = await takeLock(root);
  try {
    const id = options.id ?? (await textAt(options, CURRENT_FILE, CURRENT_BYTES_MAX)).trim();
    if (parseSnapshotId(id) === undefined) {
      throw new SnapshotError(
        `"${id.slice(0, 80)}" at ${options.url} is not the name of a snapshot`,
      );
    }
    await refuseOlder(options, id);
    if ((await listSnapshotIds(root)).includes(id)) {
      const problems = await verifySnapshot(join(root, id));
      if (problems.length > 0)
        throw new SnapshotError(`${id} is here and damaged, remove it: ${problems[0]}`);
      writeCurrent(root, id, report);
      return { id, isNew: false };
    }
    const folder = await fetched(options, id);
    const problems = await verifySnapshot(folder);
    if (problems.length > 0) throw new SnapshotError(`${id}: ${problems.join("; ")}`);
    chmodSync(folder, PUBLISHED_FOLDER);
    syncPath(folder);
    putInForce(root, { folder, id, report });
    await pruneSnapshots(root, SNAPSHOTS_KEPT, report);
    return { id, isNew: true };
  } finally {
    lock.release();
  }
}

/** An origin that goes back, or is another one, replaces nothing by itself. */
async function refuseOlder({ root, id: named, url }: PullOptions, id: string): Promise<void> {
  const current = await findCurrent(root);
  if (named !== undefined || current === undefined) return;
  const ours = basename(current);
  if (parseSnapshotId(ours)!.instantMs <= parseSnapshotId(id)!.instantMs) return;
  throw new SnapshotError(
    `${url} has ${id}, which was made before ours, ${ours}; "--id ${id}" takes it all the same`,
  );
}

/** The folder of a snapshot whose files are all there. */
async function fetched(options: PullOptions, id: string): Promise<string> {
  const aside = join(options.root, `${UNFINISHED_PREFIX}pull`);
  const folder = join(aside, id);
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(aside))
    if (other !== id) rmSync(join(aside, other), { recursive: true });
  for (const name of [MANIFEST_FILE, CHECKSUMS_FILE]) {
    rmSync(join(folder, name), { force: true });
    await writeFile(join(folder, name), await textAt(options, `${id}/${name}`, TEXT_BYTES_MAX));
  }
  const { files } = await readManifest(folder);
  refuseUnknown(id, files);
  const all = files.reduce((total, { bytes }) => total + bytes, 0);
  const { bavail, bsize } = statfsSync(options.root);
  if (all > Math.min(BYTES_MAX, bavail * bsize)) {
    throw new SnapshotError(`${id} has ${all} bytes: more than is free here, or than 20 GiB`);
  }
  let done = 0;
  const took = (bytes: number) => options.onBytes?.((done += bytes), all);
  const queue = new PQueue({ concurrency: AT_ONCE });
  await queue.addAll(files.map((file) => () => fetchFile(options, { folder, id, file, took })));
  return folder;
}

const KNOWN = new Set([
  DATABASE_FILE,
  ...TABLES.flatMap(({ name }) => [`${name}.parquet`, `${name}.arrow`]),
]);

function refuseUnknown(id: string, files: readonly ManifestFile[]): void {
  const unknown = files.find(({ name }) => !KNOWN.has(name));
  if (unknown === undefined) return;
  throw new SnapshotError(
    `${id} names the file "${unknown.name}", which this version does not know: update`,
  );
}

interface Wanted {
  readonly folder: string;
  readonly id: string;
  readonly file: ManifestFile;
  readonly took: (bytes: number) => void;
}

async function fetchFile(options: PullOptions, wanted: Wanted): Promise<void> {
  const { waits = WAITS } = options;
  for (let attempt = 0; ; attempt++) {
    try {
      await fetchRest(options, wanted);
      return;
    } catch (error) {
      if (error instanceof SnapshotError) throw error;
      const seconds = waits[attempt];
      const { message } = error as Error;
      if (seconds === undefined) {
        const name = `${wanted.id}/${wanted.file.name}`;
        throw new SnapshotError(`${name} was not fetched: ${message}; pull again to go on`, {
          cause: error,
        });
      }
      const asked = error instanceof Passing ? error.afterSeconds : undefined;
      await sleep(1000 * Math.min(RETRY_AFTER_MAX, asked ?? seconds));
    }
  }
}

/** Fetches what is missing of a file. Throws `Passing`, or what the connection throws, where another try may help. */
async function fetchRest(options: PullOptions, { folder, id, file, took }: Wanted): Promise<void> {
  const path = join(folder, file.name);
  const there = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  if (there === file.bytes && (await hashOf(path)) === file.sha256) return took(there);
  const from = there < file.bytes ? there : 0;
  if (from === 0) rmSync(path, { force: true });
  const handle = await open(path, from === 0 ? "w" : "r+");
  try {
    const range = from > 0 ? { range: `bytes=${from}-`, "if-range": `"${file.sha256}"` } : {};
    const { response, partsTo } = await answerAt(options, `${id}/${file.name}`, range);
    if (response.status === 206) checkRange(response, from, file.bytes);
    let size = response.status === 206 ? from : 0; // else it is the whole file
    await handle.truncate(size);
    took(size);
    for await (const part of partsTo(file.bytes - size)) {
      await handle.write(part, 0, part.length, size);
      size += part.length;
      took(part.length);
    }
    if (size < file.bytes) throw new Passing(`it ended after ${size} of ${file.bytes} bytes`);
    await handle.sync();
    if ((await hashOf(path)) !== file.sha256) {
      await handle.truncate(0);
      throw new Passing("its content is not what the manifest says");
    }
    await protectFile(handle);
  } finally {
    await handle.close();
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest("hex");
}

function checkRange(response: Response, from: number, bytes: number): void {
  const expected = `bytes ${from}-${bytes - 1}/${bytes}`;
  const got = response.headers.get("content-range");
  if (got !== expected) throw new Passing(`the origin sent "${got}" for "${expected}"`);
}

/** An answer and its body, up to a size. Either may be silent for 30 s at most. */
async function answerAt(
  { url, key }: PullOptions,
  path: string,
  more: Readonly<Record<string, string>> = {},
) {
  const abort = new AbortController();
  const headers = { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...more };
  const silent = new Passing("nothing came for 30 s");
  const idle = setTimeout(() => abort.abort(silent), IDLE_MS).unref();
  const address = `${url.replace(/\/+$/, "")}/${path}`;
  const response = await fetch(address, { headers, signal: abort.signal });
  async function* partsTo(most: number): AsyncGenerator<Uint8Array> {
    let size = 0;
    idle.refresh();
    for await (const part of response.body ?? []) {
      idle.refresh();
      size += part.length;
      if (size > most) throw new Passing(`it is longer than ${most} bytes`);
      yield part;
    }
  }
  if (response.ok) return { response, partsTo };
  const said = (await response.text()).slice(0, 200);
  const message = `the origin answered ${response.status} ${said}`;
  const seconds = response.headers.get("retry-after");
  if (response.status === 429 || response.status >= 500) {
    throw new Passing(message, seconds === null ? undefined : Number(seconds));
  }
  throw new SnapshotError(`${path}: ${message}`);
}

async function textAt(options: PullOptions, path: string, most: number): Promise<string> {
  try {
    const { partsTo } = await answerAt(options, path);
    return (await buffer(partsTo(most))).toString("utf8");
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new SnapshotError(`${path} at ${options.url} cannot be read: ${why}`, { cause: error });
  }
}
