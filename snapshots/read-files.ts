import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { FileDigest } from "./checksum.ts";

export interface WantedFile {
  readonly path: string;
  /** Whether the bytes are kept, in memory that threads share. */
  readonly keep: boolean;
}

export interface ReadFile {
  readonly digest: FileDigest;
  /**
   * Exactly the bytes that were hashed: what is checked is what is used. Undefined when they were not to be
   * kept.
   */
  readonly bytes?: Uint8Array;
}

/** A file that is there and that the system does not read: a bad block, no permission. */
interface UnreadFile {
  /** The system's own code, such as EIO. */
  readonly refusal: string;
}

/** What became of a wanted file; undefined when there is none of that name. */
export type ReadResult = ReadFile | UnreadFile | undefined;

/** A list of files that several threads read together. */
export interface SharedRead {
  readonly files: readonly WantedFile[];
  /** Number of files taken so far, in shared memory. */
  readonly taken: Int32Array;
}

/** Small enough to be still in the core's own cache when it is hashed. */
const SLICE_BYTES = 256 * 1024;
const slice = new Uint8Array(SLICE_BYTES);

/** Index of the next file that is not taken; undefined when none is left. */
export function takeFile({ files, taken }: SharedRead): number | undefined {
  const place = Atomics.add(taken, 0, 1);
  return place < files.length ? place : undefined;
}

/**
 * Reads a file once, to the end, and computes its checksum. It blocks the calling thread for a millisecond
 * per megabyte: on a thread of its own, asynchronous reads would only cost more. `rest` is called after each
 * slice of a quarter of a megabyte.
 */
export function readFile(wanted: WantedFile, rest = () => {}): ReadResult {
  try {
    return readOpened(openSync(wanted.path, "r"), wanted, rest);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === undefined || syscall === undefined) throw error;
    return { refusal: code };
  }
}

function readOpened(fd: number, { keep }: WantedFile, rest: () => void): ReadFile {
  try {
    return keep ? readKept(fd, rest) : { digest: digestOf(fd, rest) };
  } finally {
    closeSync(fd);
  }
}

function digestOf(fd: number, rest: () => void): FileDigest {
  const hash = createHash("sha256");
  let bytes = 0;
  for (;;) {
    const read = readSync(fd, slice, 0, SLICE_BYTES, bytes);
    if (read === 0) return { bytes, sha256: hash.digest("hex") };
    hash.update(slice.subarray(0, read));
    bytes += read;
    rest();
  }
}

function readKept(fd: number, rest: () => void): ReadFile {
  const { size } = fstatSync(fd);
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  const hash = createHash("sha256");
  let position = 0;
  while (position < size) {
    const read = readSync(fd, bytes, position, Math.min(SLICE_BYTES, size - position), position);
    if (read === 0) break; // it became shorter: its size no longer matches the manifest
    hash.update(bytes.subarray(position, position + read));
    position += read;
    rest();
  }
  return { bytes, digest: { bytes: position, sha256: hash.digest("hex") } };
}
