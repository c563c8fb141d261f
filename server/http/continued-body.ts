import { constants, crc32, deflateRawSync } from "node:zlib";
import { GZIP_HEADER, putTail, writeGzipEnd, type Tail, type TailedBody } from "./shared-body.ts";

const FREE_BYTES = 64 * 1024;

/** How many bodies begin, kept once for all: as it is and, once somebody asks for it, compressed. */
export class SharedBeginning {
  readonly bytes: Buffer;
  readonly plain: Stem;
  #gzip: Stem | undefined = undefined;
  #crc = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.plain = new Stem(bytes);
  }

  get gzip(): Stem {
    if (this.#gzip === undefined) {
      this.#crc = crc32(this.bytes);
      this.#gzip = new Stem(Buffer.concat([GZIP_HEADER, deflated(this.bytes)]));
    }
    return this.#gzip;
  }

  /** CRC-32 of the bytes, known with `gzip`. */
  get crc(): number {
    return this.#crc;
  }
}

/**
 * A body that begins as many do and goes on as only this one does, up to a caller's own end. Only what is its own is
 * kept; it is put behind the beginning, in the beginning's memory, when it is sent. Compressed, the parts are deflated
 * each by itself up to a byte boundary, so that they stand behind each other in one member.
 */
export class ContinuedBody implements TailedBody {
  readonly #beginning: SharedBeginning;
  readonly #rest: Buffer;
  #deflated: Buffer | undefined = undefined;
  #crc = 0;

  constructor(beginning: SharedBeginning, rest: Buffer) {
    this.#beginning = beginning;
    this.#rest = rest;
  }

  get beginningBytes(): number {
    return this.#beginning.bytes.length + this.#rest.length;
  }

  /** Memory held, for bounded caches: without the beginning, which is everyone's. */
  get heldBytes(): number {
    return this.#rest.length + (this.#deflated?.length ?? this.#rest.length >> 1);
  }

  plain(tail: Tail): Buffer {
    const { plain } = this.#beginning;
    const memory = plain.withRoom(this.#rest.length + tail.length);
    memory.set(this.#rest, plain.length);
    return memory.subarray(0, putTail(memory, tail, plain.length + this.#rest.length));
  }

  gzip(tail: Tail): Buffer {
    const { gzip, crc } = this.#beginning;
    if (this.#deflated === undefined) {
      this.#deflated = deflated(this.#rest);
      this.#crc = this.#rest.length === 0 ? crc : crc32(this.#rest, crc); // of nothing, crc32 is 0
    }
    const memory = gzip.withRoom(this.#deflated.length + tail.length + END_BYTES);
    memory.set(this.#deflated, gzip.length);
    const at = gzip.length + this.#deflated.length;
    const before = { crc: this.#crc, bytes: this.beginningBytes };
    return memory.subarray(0, writeGzipEnd(memory, at, tail, before));
  }
}

/** Of a compressed body, besides its tail. */
const END_BYTES = 16;

/** A beginning, and free space behind it that whoever is sent next may use. */
class Stem {
  readonly length: number;
  #memory: Buffer;

  constructor(beginning: Buffer) {
    this.length = beginning.length;
    this.#memory = grown(beginning, FREE_BYTES);
  }

  withRoom(bytes: number): Buffer {
    if (this.length + bytes > this.#memory.length) {
      this.#memory = grown(this.#memory.subarray(0, this.length), bytes + FREE_BYTES);
    }
    return this.#memory;
  }
}

function grown(beginning: Buffer, freeBytes: number): Buffer {
  const memory = Buffer.allocUnsafeSlow(beginning.length + freeBytes);
  beginning.copy(memory);
  return memory;
}

function deflated(bytes: Buffer): Buffer {
  return deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
}
