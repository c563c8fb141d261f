import { crc32 } from "node:zlib";
import {
  GZIP_HEADER,
  GZIP_TRAILER_BYTES,
  putStoredHead,
  putTrailer,
  STORED_HEAD_BYTES,
  type Tail,
} from "../http/gzip-member.ts";
import type { TailedBody } from "../http/shared-body.ts";
import { joinedCrc } from "./joined-crc.ts";
import { unpackText, type PackedText } from "./packed-text.ts";

const ROOM_BYTES = 128 * 1024;

/**
 * The body of an answer with a job's result: text, the stored result, text, the caller's tail. In a
 * compressed answer the stored blocks go in as they are, so that hundreds of kilobytes cost the event loop no
 * more than a copy.
 */
export class ResultBody implements TailedBody {
  readonly #before: Buffer;
  readonly #result: PackedText;
  readonly #after: string;

  /** `before` and `after` are ASCII. Each is at most 64 KiB long, `after` together with the tail. */
  constructor(before: string, result: PackedText, after: string) {
    this.#before = Buffer.from(before);
    this.#result = result;
    this.#after = after;
  }

  get beginningBytes(): number {
    return this.#before.length + this.#result.bytes + this.#after.length;
  }

  plain(tail: Tail): Buffer {
    const end = this.#endWith(tail);
    return Buffer.concat([this.#before, unpackText(this.#result), end]);
  }

  gzip(tail: Tail): Buffer {
    const end = this.#endWith(tail);
    const { crc, bytes, deflated } = this.#result;
    const trailer = Buffer.alloc(GZIP_TRAILER_BYTES);
    const upToResult = joinedCrc(crc32(this.#before), crc, bytes);
    const all = this.#before.length + bytes + end.length;
    putTrailer(trailer, 0, { crc: crc32(end, upToResult), bytes: all });
    return joined([
      GZIP_HEADER,
      storedHead(this.#before.length, false),
      this.#before,
      deflated,
      storedHead(end.length, true),
      end,
      trailer,
    ]);
  }

  #endWith(tail: Tail): Buffer {
    const bytes = typeof tail === "string" ? Buffer.from(tail) : tail;
    return Buffer.concat([Buffer.from(this.#after), bytes]);
  }
}

/** All answers share this memory: each is sent before the next is made, as `SharedBody` asks. */
let room = Buffer.alloc(ROOM_BYTES);

function joined(parts: readonly Uint8Array[]): Buffer {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  if (bytes > room.length) room = Buffer.alloc(2 * bytes);
  let at = 0;
  for (const part of parts) {
    room.set(part, at);
    at += part.length;
  }
  return room.subarray(0, bytes);
}

function storedHead(bytes: number, last: boolean): Buffer {
  const head = Buffer.alloc(STORED_HEAD_BYTES);
  putStoredHead(head, 0, { bytes, last });
  return head;
}
