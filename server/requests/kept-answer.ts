import { crc32 } from "node:zlib";
import { ByteWriter } from "../http/byte-writer.ts";
import type { SharedBeginning } from "../http/shared-beginning.ts";
import {
  beginGzip,
  deflatedAside,
  GZIP_END_BYTES,
  putTail,
  withGzipHead,
  writeGzipEnd,
  type Tail,
} from "../http/gzip-member.ts";
import { SharedBody, TAIL_MAX, type TailedBody } from "../http/shared-body.ts";
import type { TaggedAnswer } from "./answer.ts";
import { INTEGER_BYTES, Piece, WORD_BYTES, type PackedMemory } from "./packed-memory.ts";

/** The first numbers of an answer's record. */
const TAG_LENGTH = 0;
const HEADERS_LENGTH = 1;
const REST_LENGTH = 2;
/** 1 if the body begins with the shared beginning. */
const CONTINUES = 3;
/** The place of the compressed rest; 0 until somebody asks for it. */
const DEFLATED_PLACE = 4;
const DEFLATED_LENGTH = 5;
/** CRC-32 of the body up to its tail, computed along with the compressed rest. */
const CRC = 6;
const HEAD_BYTES = 32;
/** The part of the header lines before the entity tag. */
const TAG_START = "\r\nETag: ".length;
const LINES_BYTES = 1024;

/** Holds the header lines of one answer at a time; they are sent before the next ones are read. */
const lines = new ByteWriter(LINES_BYTES);

/** Where the answers of one endpoint and snapshot are kept, and the beginning their bodies share, if any. */
export interface AnswerMemory {
  readonly packed: PackedMemory;
  beginning: SharedBeginning | undefined;
}

/** A body up to the caller's own `meta`. */
export interface BodyParts {
  /** What it shares with other bodies, if anything. */
  readonly beginning?: SharedBeginning | undefined;
  /** The body without that. */
  readonly rest: Uint8Array;
}

/** The parts of an answer. */
export interface AnswerParts extends BodyParts {
  readonly etag: string;
  /** Header lines in ASCII; the first is the entity tag. */
  readonly headers: Uint8Array;
  /** Undefined as long as nobody has compressed it. */
  readonly compressed?: CompressedRest | undefined;
  /** Set if `rest` lies in a record already, as `emptyRecord` made it: it is not copied then. */
  readonly record?: Piece | undefined;
}

/** The rest of a body as it is sent after a compressed beginning; without one, with the head of a gzip member. */
export interface CompressedRest {
  readonly deflated: Uint8Array;
  /** CRC-32 of the body up to its tail. */
  readonly crc: number;
}

/**
 * An answer in packed memory. This object only leads to it and is made for each request. Headers, body and
 * room for the caller's `meta` follow each other in memory, so that an answer not asked for lately is fetched
 * in one stretch.
 */
export class KeptAnswer implements TaggedAnswer, TailedBody, AnswerParts {
  readonly place: number;
  readonly #memory: AnswerMemory;
  readonly #piece: Piece;
  /** Offset of the record in its piece. */
  readonly #offset: number;

  constructor(memory: AnswerMemory, place: number) {
    this.place = place;
    this.#memory = memory;
    this.#piece = memory.packed.pieceAt(place);
    this.#offset = memory.packed.offsetAt(place);
  }

  get etag(): string {
    const start = this.#offset + HEAD_BYTES + TAG_START;
    return this.#piece.bytes.toString("latin1", start, start + this.#number(TAG_LENGTH));
  }

  get headers(): Uint8Array {
    lines.clear();
    const first = (this.#offset + HEAD_BYTES) / WORD_BYTES;
    lines.words(this.#piece.words, first, this.#number(HEADERS_LENGTH));
    return lines.written;
  }

  get body(): TailedBody {
    return this;
  }

  get rest(): Buffer {
    const start = this.#restStart;
    return this.#piece.bytes.subarray(start, start + this.#number(REST_LENGTH));
  }

  get beginning(): SharedBeginning | undefined {
    return this.#number(CONTINUES) === 1 ? this.#memory.beginning : undefined;
  }

  get beginningBytes(): number {
    return this.#number(REST_LENGTH) + (this.beginning?.bytes.length ?? 0);
  }

  get compressed(): CompressedRest | undefined {
    const place = this.#number(DEFLATED_PLACE);
    if (place === 0) return undefined;
    const start = this.#memory.packed.offsetAt(place);
    const end = start + this.#number(DEFLATED_LENGTH);
    const deflated = this.#memory.packed.pieceAt(place).bytes.subarray(start, end);
    return { deflated, crc: this.#number(CRC) >>> 0 };
  }

  plain(tail: Tail): Buffer {
    const { beginning } = this;
    if (beginning !== undefined) return beginning.plain(this.rest, tail);
    if (tail.length > TAIL_MAX) return new SharedBody(this.rest).plain(tail);
    const start = this.#restStart;
    const { bytes } = this.#piece;
    return bytes.subarray(start, putTail(bytes, tail, start + this.#number(REST_LENGTH)));
  }

  gzip(tail: Tail): Buffer {
    const { beginning } = this;
    if (this.#number(DEFLATED_PLACE) === 0) this.keepCompressed(compressed(this));
    const place = this.#number(DEFLATED_PLACE);
    const { bytes } = this.#memory.packed.pieceAt(place);
    const start = this.#memory.packed.offsetAt(place);
    const end = start + this.#number(DEFLATED_LENGTH);
    const crc = this.#number(CRC) >>> 0;
    const length = this.#number(REST_LENGTH);
    if (beginning !== undefined) {
      return beginning.gzip({ deflated: bytes.subarray(start, end), length, crc }, tail);
    }
    if (tail.length > TAIL_MAX) return new SharedBody(this.rest).gzip(tail);
    return bytes.subarray(start, writeGzipEnd(bytes, end, tail, { crc, bytes: length }));
  }

  /** Keeps the compressed rest, once. */
  keepCompressed({ deflated, crc }: CompressedRest): void {
    const { packed } = this.#memory;
    const place = packed.take(deflated.length + TAIL_MAX + GZIP_END_BYTES);
    packed.pieceAt(place).bytes.set(deflated, packed.offsetAt(place));
    const { integers } = this.#piece;
    const head = this.#offset / INTEGER_BYTES;
    integers[head + DEFLATED_PLACE] = place;
    integers[head + DEFLATED_LENGTH] = deflated.length;
    integers[head + CRC] = crc;
  }

  get #restStart(): number {
    return this.#offset + HEAD_BYTES + wholeWords(this.#number(HEADERS_LENGTH));
  }

  #number(which: number): number {
    return this.#piece.integers[this.#offset / INTEGER_BYTES + which]!;
  }
}

/** A record for an answer that is too long to be copied into memory at once. `rest` is to be filled. */
export function emptyRecord(headersLength: number, restLength: number) {
  const restAt = HEAD_BYTES + wholeWords(headersLength);
  const record = new Piece(restAt + restLength + TAIL_MAX);
  return { record, rest: record.bytes.subarray(restAt, restAt + restLength) };
}

/** Puts an answer into memory. */
export function putAnswer(
  memory: AnswerMemory,
  { etag, headers, beginning, rest, compressed: known, record }: AnswerParts,
): KeptAnswer {
  const { packed } = memory;
  memory.beginning ??= beginning;
  const restAt = HEAD_BYTES + wholeWords(headers.length);
  const place =
    record === undefined ? packed.take(restAt + rest.length + TAIL_MAX) : packed.adopt(record);
  const { bytes, integers } = packed.pieceAt(place);
  const offset = packed.offsetAt(place);
  const head = offset / INTEGER_BYTES;
  integers[head + TAG_LENGTH] = etag.length;
  integers[head + HEADERS_LENGTH] = headers.length;
  integers[head + REST_LENGTH] = rest.length;
  integers[head + CONTINUES] = Number(beginning !== undefined);
  integers[head + DEFLATED_PLACE] = 0;
  bytes.fill(0, offset + HEAD_BYTES, offset + restAt); // fills up the lines' last word
  bytes.set(headers, offset + HEAD_BYTES);
  if (record === undefined) bytes.set(rest, offset + restAt);
  const kept = new KeptAnswer(memory, place);
  if (known !== undefined) kept.keepCompressed(known);
  return kept;
}

/** Compresses an answer on another thread. `crc` is that of its body up to the tail. */
export async function compressedAside(
  { beginning, rest }: BodyParts,
  crc: number,
): Promise<CompressedRest> {
  const deflated = await deflatedAside(rest);
  return { deflated: beginning === undefined ? withGzipHead(deflated) : deflated, crc };
}

function compressed({ beginning, rest }: BodyParts): CompressedRest {
  return beginning?.deflate(rest) ?? { deflated: beginGzip(rest), crc: crc32(rest) };
}

function wholeWords(bytes: number): number {
  return Math.ceil(bytes / WORD_BYTES) * WORD_BYTES;
}
