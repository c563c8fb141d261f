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
/** The smallest page that a system has. */
const PAGE_WORDS = 4096 / WORD_BYTES;

/** Which of the two files it is: what its header says and how long its chunks are. */
export interface ChunkFileKind {
  readonly name: string;
  readonly magic: number;
  readonly version: number;
  readonly chunkBytes: number;
}

/**
 * A header followed by chunks of equal size, in a file mapped into memory that all processes of the machine
 * share.
 *
 * Space is written before it is mapped. A full disk is then an error while the file grows; otherwise it would
 * kill the process that touches the mapping.
 *
 * When the disk refuses to be forced, the system may forget which pages it does not have, and the next force
 * succeeds and proves nothing. So every page is written to before a force counts again, whichever process is
 * first to try.
 */
export class ChunkFile {
  readonly kind: ChunkFileKind;
  readonly fd: number;
  readonly header: Int32Array;
  readonly #chunks: (Int32Array | undefined)[] = [];
  #closed = false;

  /** Opens an existing file whose format has been checked. */
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

  /** Unique to this file. */
  get identity(): string {
    return identityIn(this.header, HEADER.identity);
  }

  /** The number of whole chunks. A process killed while growing the file can leave part of one. */
  get length(): number {
    const bytes = fstatSync(this.fd).size - HEADER_BYTES;
    return Math.max(0, Math.floor(bytes / this.kind.chunkBytes));
  }

  /**
   * Throws `AccountsUnavailable` if the file ends before this chunk, as happens if another, longer file has
   * taken its name. Memory past the end of a file can be mapped, but touching it kills the process.
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

  /**
   * Makes room for a chunk and says whether the file had to grow. Call it under the state file's lock. Throws
   * `AccountsUnavailable` if there is no space.
   */
  reserve(index: number): boolean {
    if (this.#chunks[index] !== undefined) return false; // mapped, so it exists
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

  /** Whether the disk has refused a force, and none has counted since. */
  get isInDoubt(): boolean {
    return Atomics.load(this.header, HEADER.unforced) !== 0;
  }

  /** Forces the file to the disk. Throws `AccountsUnavailable` if the disk refuses. */
  syncNow(): void {
    const failures = this.#beforeForce();
    try {
      fdatasyncSync(this.fd);
    } catch (cause) {
      throw this.#notForced(cause);
    }
    this.#forced(failures);
  }

  /** Like `syncNow`, but on a thread of the runtime. Do not close the file meanwhile. */
  async sync(): Promise<void> {
    const failures = this.#beforeForce();
    try {
      await promisify(fdatasync)(this.fd);
    } catch (cause) {
      throw this.#notForced(cause);
    }
    this.#forced(failures);
  }

  /** Returns how many forces have failed, after writing to every page if any has. */
  #beforeForce(): number {
    const failures = Atomics.load(this.header, HEADER.unforced);
    if (failures !== 0) {
      touchPages(this.header);
      for (let index = 0; index < this.length; index++) touchPages(this.chunk(index));
    }
    return failures;
  }

  #notForced(cause: unknown): AccountsUnavailable {
    Atomics.add(this.header, HEADER.unforced, 1);
    const { name } = this.kind;
    return new AccountsUnavailable(
      `the ${name} file cannot be forced to the disk: ${String(cause)}`,
      { cause },
    );
  }

  /** One that failed meanwhile, in another process, stays noted. */
  #forced(failures: number): void {
    if (failures !== 0) Atomics.compareExchange(this.header, HEADER.unforced, failures, 0);
  }

  close(): void {
    if (this.#closed) return; // the descriptor may belong to another file by now
    this.#closed = true;
    closeSync(this.fd);
  }
}

/**
 * Makes a new file with one chunk of zeros and its own identity. The file takes its name once it is complete.
 */
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
    renameSync(made, file);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/**
 * The header's first words, up to and including the identity, read without mapping the file; zeros past its
 * end.
 */
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

/** Writes to every page what it holds, beside whoever counts in it. */
function touchPages(words: Int32Array): void {
  for (let at = 0; at < words.length; at += PAGE_WORDS) Atomics.add(words, at, 0);
}

/** An identity from a header, in hexadecimal. */
export function identityIn(header: Int32Array, at: number): string {
  return Buffer.from(header.slice(at, at + IDENTITY_WORDS).buffer).toString("hex");
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}
