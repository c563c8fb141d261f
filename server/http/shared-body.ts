import { promisify } from "node:util";
import { crc32, constants, deflateRaw, deflateRawSync } from "node:zlib";

/** Gzip member header: deflate, no name, no time, unknown system (RFC 1952, 2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Size of the head of a stored deflate block: one byte and two lengths (RFC 1951, 3.2.4). */
const STORED_HEAD_BYTES = 5;
/** Size of the trailer of a gzip member: CRC-32 and length of the plain body. */
const TRAILER_BYTES = 8;
/** What a gzip member needs after its deflated prefix, apart from the suffix itself. */
const GZIP_END_BYTES = STORED_HEAD_BYTES + TRAILER_BYTES;

const deflateAside = promisify(deflateRaw);
/** Ends the deflated part at a byte boundary, after which more may follow. */
const FLUSHED = { finishFlush: constants.Z_SYNC_FLUSH };

/** The caller's own end of a body. A text has ASCII only. */
export type Suffix = string | Buffer;

/**
 * Ends a gzip member whose deflated prefix stops at a byte boundary: writes the suffix as a stored block, then the
 * checksum and length of everything. `before` has those of the prefix. Returns the position after the member.
 */
function writeGzipEnd(
  memory: Buffer,
  start: number,
  suffix: Suffix,
  before: { readonly crc: number; readonly bytes: number },
): number {
  memory[start] = 1; // the last block, stored
  memory.writeUInt16LE(suffix.length, start + 1);
  memory.writeUInt16LE(~suffix.length & 0xffff, start + 3);
  const at = start + STORED_HEAD_BYTES;
  const end = putSuffix(memory, suffix, at);
  memory.writeUInt32LE(crc32(memory.subarray(at, end), before.crc), end);
  memory.writeUInt32LE((before.bytes + suffix.length) >>> 0, end + 4);
  return end + TRAILER_BYTES;
}

/** Writes a suffix and returns the position after it. */
function putSuffix(memory: Buffer, suffix: Suffix, at: number): number {
  if (typeof suffix === "string") return at + memory.write(suffix, at, "latin1");
  memory.set(suffix, at);
  return at + suffix.length;
}

/** Bytes kept free after a prefix for the suffixes of callers. */
const SUFFIX_BYTES = 512;

/** A body without the caller's own end. The memory that `plain` or `gzip` returns is valid until either is called again. */
export interface BodyPrefix {
  readonly prefixBytes: number;
  plain(suffix: Suffix): Buffer;
  gzip(suffix: Suffix): Buffer;
  /** Whether the prefix is compressed already. */
  readonly isCompressed: boolean;
  /** Compresses a long prefix ahead of `gzip`, off the event loop. */
  compress(): Promise<void>;
}

/**
 * A body with a prefix that is the same for every caller, encoded and compressed once, and a short suffix of the
 * caller's own. Compressed, it is one gzip member: the deflated prefix up to a byte boundary, the suffix as a stored
 * block, and the checksum of both, continued from that of the prefix.
 */
export class SharedBody implements BodyPrefix {
  readonly prefixBytes: number;
  #plain: Buffer;
  /** What `plain` returned last. The next body usually has the same length. */
  #sent: Buffer;
  /** The deflated prefix and its length, once needed. */
  #gzip: Buffer | undefined = undefined;
  #gzipBytes = 0;
  #crc = 0;

  constructor(prefix: string | Buffer) {
    const bytes = Buffer.from(prefix as string);
    this.prefixBytes = bytes.length;
    this.#plain = withRoom(bytes, bytes.length, SUFFIX_BYTES);
    this.#sent = bytes;
  }

  plain(suffix: Suffix): Buffer {
    this.#plain = withRoom(this.#plain, this.prefixBytes, suffix.length);
    const end = putSuffix(this.#plain, suffix, this.prefixBytes);
    if (this.#sent.length !== end) this.#sent = this.#plain.subarray(0, end);
    return this.#sent;
  }

  gzip(suffix: Suffix): Buffer {
    const deflated = this.#gzip ?? this.#take(deflateRawSync(this.#prefix, FLUSHED));
    const memory = withRoom(deflated, this.#gzipBytes, suffix.length + GZIP_END_BYTES);
    this.#gzip = memory;
    const before = { crc: this.#crc, bytes: this.prefixBytes };
    return memory.subarray(0, writeGzipEnd(memory, this.#gzipBytes, suffix, before));
  }

  get isCompressed(): boolean {
    return this.#gzip !== undefined;
  }

  async compress(): Promise<void> {
    const deflated = await deflateAside(this.#prefix, FLUSHED);
    this.#gzip ??= this.#take(deflated); // somebody else may have been faster
  }

  get #prefix(): Buffer {
    return this.#plain.subarray(0, this.prefixBytes);
  }

  #take(deflated: Buffer): Buffer {
    const member = Buffer.concat([HEADER, deflated]);
    this.#crc = crc32(this.#prefix);
    this.#gzipBytes = member.length;
    return withRoom(member, member.length, SUFFIX_BYTES);
  }
}

/** A body with the prefix of others and a part of its own, which is sent like a suffix. With the caller's, at most 64 KiB. */
export function continued(shared: SharedBody, own: Buffer): BodyPrefix {
  const ownAnd = (suffix: Suffix) => Buffer.concat([own, Buffer.from(suffix as string)]);
  return {
    prefixBytes: shared.prefixBytes + own.length,
    plain: (suffix) => shared.plain(ownAnd(suffix)),
    gzip: (suffix) => shared.gzip(ownAnd(suffix)),
    get isCompressed() {
      return shared.isCompressed;
    },
    compress: () => shared.compress(),
  };
}

/** Memory with at least `bytes` free after the first `length`: the same memory if it has them, or else a copy. */
function withRoom(memory: Buffer, length: number, bytes: number): Buffer {
  if (length + bytes <= memory.length) return memory;
  const roomier = Buffer.allocUnsafe(length + Math.max(bytes, SUFFIX_BYTES));
  roomier.set(memory.subarray(0, length));
  return roomier;
}
