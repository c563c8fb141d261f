import { randomBytes } from "node:crypto";
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { AccountsUnavailable } from "../accounts.ts";
import { HEADER, HEADER_BYTES, IDENTITY_WORDS, WORD_BYTES } from "./meter-layout.ts";
import { mapShared } from "./shared-memory.ts";

const FILE_MODE = 0o600;

/** Which file it is: what stands in its header, and how long its chunks are. */
export interface ChunkFileKind {
  readonly name: string;
  readonly magic: number;
  readonly version: number;
  readonly chunkBytes: number;
}

/**
 * A header and chunks of one size, in a file that is mapped into memory that all processes of the machine share.
 *
 * Its space is written before it is mapped, so that a full disk is an error where the file grows and not the end of
 * the process where it is used.
 */
export class ChunkFile {
  readonly kind: ChunkFileKind;
  readonly fd: number;
  readonly header: Int32Array;
  readonly #chunks: (Int32Array | undefined)[] = [];
  #closed = false;

  /** Opens a file that is there, and whose format was checked. */
  constructor(kind: ChunkFileKind, file: string) {
    this.kind = kind;
    this.fd = openSync(file, "r+");
    try {
      this.header = new Int32Array(mapShared(this.fd, 0, HEADER_BYTES));
    } catch (error) {
      closeSync(this.fd);
      throw error;
    }
  }

  /** No other file's. */
  get identity(): string {
    return identityIn(this.header, HEADER.identity);
  }

  /** Chunks that are whole. A part of one is what a kill left behind. */
  get length(): number {
    const bytes = fstatSync(this.fd).size - HEADER_BYTES;
    return Math.max(0, Math.floor(bytes / this.kind.chunkBytes));
  }

  /**
   * Throws `AccountsUnavailable` where the file ends before it, as one does whose name another file has taken and made longer:
   * memory behind a file's end is there to be mapped, and the end of the process that uses it.
   */
  chunk(index: number): Int32Array {
    const mapped = this.#chunks[index];
    if (mapped !== undefined) return mapped;
    const { name, chunkBytes } = this.kind;
    if (index >= this.length) {
      throw new AccountsUnavailable(`the ${name} file ends before an account's place in it`);
    }
    const offset = HEADER_BYTES + index * chunkBytes;
    const words = new Int32Array(mapShared(this.fd, offset, chunkBytes));
    this.#chunks[index] = words;
    return words;
  }

  /** Makes room for a chunk, under the state file's lock; says whether it had to. Throws `AccountsUnavailable` where there is none. */
  reserve(index: number): boolean {
    if (this.#chunks[index] !== undefined) return false; // mapped, so it is there
    const { name, chunkBytes } = this.kind;
    const before = this.length;
    try {
      for (let chunk = before; chunk <= index; chunk++) {
        writeAll(this.fd, Buffer.alloc(chunkBytes), HEADER_BYTES + chunk * chunkBytes);
      }
    } catch (cause) {
      throw new AccountsUnavailable(`the ${name} file cannot grow: ${String(cause)}`, { cause });
    }
    return before <= index;
  }

  /** Forces the file to the disk. */
  syncNow(): void {
    fdatasyncSync(this.fd);
  }

  /** The same on a thread of the runtime. Not to be closed meanwhile. */
  async sync(): Promise<void> {
    await promisify(fdatasync)(this.fd);
  }

  close(): void {
    if (this.#closed) return; // its number may be another file's by now
    this.#closed = true;
    closeSync(this.fd);
  }
}

/** A new file with one chunk of zeros and an identity of its own. It takes its name when it is whole. */
export function makeChunkFile({ magic, version, chunkBytes }: ChunkFileKind, file: string): void {
  const made = `${file}-${process.pid}`;
  const header = new Int32Array(HEADER_BYTES / WORD_BYTES);
  header[HEADER.magic] = magic;
  header[HEADER.version] = version;
  const identity = new Uint8Array(randomBytes(IDENTITY_WORDS * WORD_BYTES));
  header.set(new Int32Array(identity.buffer), HEADER.identity);
  const fd = openSync(made, "w", FILE_MODE);
  try {
    writeAll(fd, Buffer.from(header.buffer), 0);
    writeAll(fd, Buffer.alloc(chunkBytes), HEADER_BYTES);
    fsyncSync(fd);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  renameSync(made, file);
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** The words up to the file's identity and with it, as they stand in a file that nobody has opened; zeros behind its end. */
export function headOf(file: string): Int32Array {
  const head = new Int32Array(HEADER.identity + IDENTITY_WORDS);
  const fd = openSync(file, "r");
  try {
    readSync(fd, new Uint8Array(head.buffer), 0, head.byteLength, 0);
  } finally {
    closeSync(fd);
  }
  return head;
}

/** An identity as it stands in a header, in hexadecimal. */
export function identityIn(header: Int32Array, at: number): string {
  return Buffer.from(header.slice(at, at + IDENTITY_WORDS).buffer).toString("hex");
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}
