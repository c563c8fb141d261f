import { crc32 } from "node:zlib";
import {
  beginGzip,
  deflated,
  GZIP_END_BYTES,
  putTail,
  writeGzipEnd,
  type Tail,
} from "./gzip-member.ts";
import { Stem } from "./stem.ts";

const FREE_BYTES = 64 * 1024;

/** The compressed middle of a body, between its shared beginning and its tail. */
export interface DeflatedRest {
  readonly deflated: Uint8Array;
  /** Length before compression. */
  readonly length: number;
  /** CRC-32 of the beginning and the rest. */
  readonly crc: number;
}

/**
 * The beginning that many bodies share, kept once: plain and, once somebody asks for it, compressed. To send
 * a body, its own rest is put into the memory behind the beginning. Compressed parts are each deflated up to
 * a byte boundary, so that they can follow each other in one gzip member. Send what is returned before the
 * next call.
 */
export class SharedBeginning {
  readonly bytes: Buffer;
  readonly #plain: Stem;
  #gzip: Stem | undefined = undefined;
  #crc: number | undefined = undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#plain = new Stem(bytes, FREE_BYTES);
  }

  plain(rest: Uint8Array, tail: Tail): Buffer {
    const { length } = this.#plain;
    const memory = this.#plain.withRoom(rest.length + tail.length);
    memory.set(rest, length);
    return memory.subarray(0, putTail(memory, tail, length + rest.length));
  }

  deflate(rest: Uint8Array): DeflatedRest {
    const beginning = (this.#crc ??= crc32(this.bytes));
    const crc = rest.length === 0 ? beginning : crc32(rest, beginning); // the CRC-32 of no bytes is 0
    return { deflated: deflated(rest), length: rest.length, crc };
  }

  gzip(rest: DeflatedRest, tail: Tail): Buffer {
    this.#gzip ??= new Stem(beginGzip(this.bytes), FREE_BYTES);
    const { length } = this.#gzip;
    const memory = this.#gzip.withRoom(rest.deflated.length + tail.length + GZIP_END_BYTES);
    memory.set(rest.deflated, length);
    const before = { crc: rest.crc, bytes: this.bytes.length + rest.length };
    const end = writeGzipEnd(memory, length + rest.deflated.length, tail, before);
    return memory.subarray(0, end);
  }
}
