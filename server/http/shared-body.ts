import { constants, crc32, deflateRawSync } from "node:zlib";

/** Bytes kept free behind a prefix for what differs between callers; a longer tail takes a copy of its own. */
export const TAIL_MAX = 512;
/** Gzip member header: deflate, no name, no time, unknown system (RFC 1952, 2.3). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Head of a stored deflate block: one byte (final, stored) and two lengths (RFC 1951, 3.2.4). */
const STORED_HEAD_BYTES = 5;
/** CRC-32 and length of the plain body at the end of a gzip member. */
const GZIP_TRAILER_BYTES = 8;
/** What a gzip member needs behind its deflated beginning, besides the tail. */
export const GZIP_END_BYTES = STORED_HEAD_BYTES + GZIP_TRAILER_BYTES;

/** The end of a body, in ASCII. */
export type Tail = string | Uint8Array;

/**
 * A body up to a caller's own end, and with it. `plain` and `gzip` may return the same memory each time: what they
 * return must be sent before the next call of any.
 */
export interface TailedBody {
  readonly beginningBytes: number;
  plain(tail: Tail): Buffer;
  gzip(tail: Tail): Buffer;
}

/**
 * A body that begins the same for every caller and ends with a short tail of one caller's. The beginning is
 * encoded, and compressed, once; a request only writes its tail behind it.
 *
 * The compressed form is one gzip member: the deflated beginning up to a byte boundary, the tail as a stored
 * block, and the checksum of both, continued from the beginning's.
 */
export class SharedBody implements TailedBody {
  readonly #plain: Room;
  #gzip: Room | undefined = undefined;
  #crc = 0;

  constructor(beginning: string | Buffer) {
    const bytes = typeof beginning === "string" ? Buffer.from(beginning) : beginning;
    this.#plain = new Room(bytes, TAIL_MAX);
  }

  get beginningBytes(): number {
    return this.#plain.filled;
  }

  /** Memory held, for bounded caches. */
  get heldBytes(): number {
    return this.#plain.memory.length + (this.#gzip?.memory.length ?? this.#plain.filled >> 1);
  }

  plain(tail: Tail): Buffer {
    const room = this.#plain.reserve(tail.length);
    const end = putTail(room.memory, tail, room.filled);
    return room.upTo(end);
  }

  gzip(tail: Tail): Buffer {
    this.#gzip ??= this.#compress();
    const room = this.#gzip.reserve(tail.length + GZIP_END_BYTES);
    const before = { crc: this.#crc, bytes: this.#plain.filled };
    return room.upTo(writeGzipEnd(room.memory, room.filled, tail, before));
  }

  #compress(): Room {
    const beginning = this.#plain.upTo(this.#plain.filled);
    this.#crc = crc32(beginning);
    return new Room(beginGzip(beginning), TAIL_MAX + GZIP_END_BYTES);
  }
}

/** A gzip member up to the end of what is deflated, at a byte boundary. */
export function beginGzip(beginning: Uint8Array): Buffer {
  return Buffer.concat([GZIP_HEADER, deflated(beginning)]);
}

/** Deflates up to a byte boundary, where more may follow. */
export function deflated(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
}

/**
 * Ends a gzip member whose deflated beginning is at a byte boundary: the tail as a stored block, and the checksum and
 * length of everything, of which `before` says what the beginning's are. Says where it ends.
 */
export function writeGzipEnd(
  memory: Buffer,
  start: number,
  tail: Tail,
  before: { readonly crc: number; readonly bytes: number },
): number {
  memory[start] = 1;
  memory.writeUInt16LE(tail.length, start + 1);
  memory.writeUInt16LE(~tail.length & 0xffff, start + 3);
  const at = start + STORED_HEAD_BYTES;
  const end = putTail(memory, tail, at);
  memory.writeUInt32LE(crc32(memory.subarray(at, end), before.crc), end);
  memory.writeUInt32LE((before.bytes + tail.length) >>> 0, end + 4);
  return end + GZIP_TRAILER_BYTES;
}

/** Writes a tail and says where it ends. */
export function putTail(memory: Buffer, tail: Tail, at: number): number {
  if (typeof tail === "string") return at + memory.write(tail, at, "latin1");
  memory.set(tail, at);
  return at + tail.length;
}

/** A beginning with free space behind it, and its views by length: tails differ by a digit or two. */
class Room {
  readonly memory: Buffer;
  readonly filled: number;
  readonly #views: (Buffer | undefined)[] = [];

  constructor(beginning: Buffer, freeBytes: number) {
    this.filled = beginning.length;
    this.memory = Buffer.allocUnsafeSlow(beginning.length + freeBytes);
    beginning.copy(this.memory);
  }

  /** This room, or a roomier copy for one use. */
  reserve(bytes: number): Room {
    if (this.filled + bytes <= this.memory.length) return this;
    return new Room(this.memory.subarray(0, this.filled), bytes);
  }

  upTo(end: number): Buffer {
    return (this.#views[end - this.filled] ??= this.memory.subarray(0, end));
  }
}
