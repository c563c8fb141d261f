import { crc32 } from "node:zlib";
import { beginGzip, GZIP_END_BYTES, putTail, writeGzipEnd, type Tail } from "./gzip-member.ts";
import { Stem } from "./stem.ts";

/** Bytes kept free after a beginning for the part that differs between callers. */
export const TAIL_MAX = 512;

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
  readonly #plain: Stem;
  #gzip: Stem | undefined = undefined;
  #crc = 0;

  constructor(beginning: string | Buffer) {
    const bytes = typeof beginning === "string" ? Buffer.from(beginning) : beginning;
    this.#plain = new Stem(bytes, TAIL_MAX);
  }

  get beginningBytes(): number {
    return this.#plain.length;
  }

  plain(tail: Tail): Buffer {
    const memory = this.#plain.withRoom(tail.length);
    return this.#plain.upTo(putTail(memory, tail, this.#plain.length));
  }

  gzip(tail: Tail): Buffer {
    const gzip = (this.#gzip ??= this.#compress());
    const memory = gzip.withRoom(tail.length + GZIP_END_BYTES);
    const before = { crc: this.#crc, bytes: this.#plain.length };
    return gzip.upTo(writeGzipEnd(memory, gzip.length, tail, before));
  }

  #compress(): Stem {
    const beginning = this.#plain.upTo(this.#plain.length);
    this.#crc = crc32(beginning);
    return new Stem(beginGzip(beginning), TAIL_MAX + GZIP_END_BYTES);
  }
}
