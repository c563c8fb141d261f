import { crc32 } from "node:zlib";
import {
  beginGzip,
  beginGzipAside,
  GZIP_END_BYTES,
  putTail,
  writeGzipEnd,
  type Tail,
} from "./gzip-member.ts";

/** Bytes kept free after a beginning for the part that differs between callers. */
const TAIL_BYTES = 512;

/**
 * A body up to a caller's own end, and with it. `plain` and `gzip` may reuse their memory: send what they
 * return before the next call of either.
 */
export interface TailedBody {
  readonly beginningBytes: number;
  plain(tail: Tail): Buffer;
  gzip(tail: Tail): Buffer;
}

/**
 * A body with the same beginning for every caller and a short tail of the caller's own. The beginning is
 * encoded, and compressed, once; a request only writes its tail after it.
 *
 * The compressed form is one gzip member: the deflated beginning up to a byte boundary, the tail as a stored
 * block, and the checksum of both, continued from that of the beginning.
 */
export class SharedBody implements TailedBody {
  readonly beginningBytes: number;
  #plain: Buffer;
  /** The deflated beginning and its length, once needed. */
  #gzip: Buffer | undefined = undefined;
  #gzipBytes = 0;
  #crc = 0;

  constructor(beginning: string | Buffer) {
    const bytes = Buffer.from(beginning as string);
    this.beginningBytes = bytes.length;
    this.#plain = withRoom(bytes, bytes.length, TAIL_BYTES);
  }

  plain(tail: Tail): Buffer {
    this.#plain = withRoom(this.#plain, this.beginningBytes, tail.length);
    return this.#plain.subarray(0, putTail(this.#plain, tail, this.beginningBytes));
  }

  gzip(tail: Tail): Buffer {
    const deflated = this.#gzip ?? this.#take(beginGzip(this.#beginning));
    const memory = withRoom(deflated, this.#gzipBytes, tail.length + GZIP_END_BYTES);
    this.#gzip = memory;
    const before = { crc: this.#crc, bytes: this.beginningBytes };
    return memory.subarray(0, writeGzipEnd(memory, this.#gzipBytes, tail, before));
  }

  /** Compresses a long beginning ahead of `gzip`, off the event loop. */
  async compress(): Promise<void> {
    this.#gzip = this.#take(await beginGzipAside(this.#beginning));
  }

  get #beginning(): Buffer {
    return this.#plain.subarray(0, this.beginningBytes);
  }

  #take(deflated: Buffer): Buffer {
    this.#crc = crc32(this.#beginning);
    this.#gzipBytes = deflated.length;
    return withRoom(deflated, deflated.length, TAIL_BYTES);
  }
}

/** A body that begins like others: its own part is sent together with the tail, at most 64 KiB of both. */
export function continued(shared: SharedBody, own: Buffer): TailedBody {
  const ownAnd = (tail: Tail) => Buffer.concat([own, Buffer.from(tail as string)]);
  return {
    beginningBytes: shared.beginningBytes + own.length,
    plain: (tail) => shared.plain(ownAnd(tail)),
    gzip: (tail) => shared.gzip(ownAnd(tail)),
  };
}

/** Memory with so many bytes free behind the first `length`: the same memory if it has them. */
function withRoom(memory: Buffer, length: number, bytes: number): Buffer {
  if (length + bytes <= memory.length) return memory;
  const roomier = Buffer.allocUnsafe(length + Math.max(bytes, TAIL_BYTES));
  roomier.set(memory.subarray(0, length));
  return roomier;
}
