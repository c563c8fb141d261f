import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync } from "node:zlib";

/** Gzip member header: deflate, no name, no time, unknown system (RFC 1952, 2.3). */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Size of the head of a stored deflate block: one byte and two lengths (RFC 1951, 3.2.4). */
export const STORED_HEAD_BYTES = 5;
/** Size of the trailer of a gzip member: CRC-32 and length of the plain body. */
export const GZIP_TRAILER_BYTES = 8;
/** What a gzip member needs after its deflated beginning, apart from the tail itself. */
export const GZIP_END_BYTES = STORED_HEAD_BYTES + GZIP_TRAILER_BYTES;

const deflateAside = promisify(deflateRaw);
const FLUSHED = { finishFlush: constants.Z_SYNC_FLUSH };

/** The end of a body, in ASCII. */
export type Tail = string | Buffer;

/** A gzip member up to the end of its deflated part, at a byte boundary, after which more may follow. */
export function beginGzip(beginning: Uint8Array): Buffer {
  return Buffer.concat([GZIP_HEADER, deflateRawSync(beginning, FLUSHED)]);
}

/** The same bytes, made off the event loop. */
export async function beginGzipAside(beginning: Uint8Array): Promise<Buffer> {
  return Buffer.concat([GZIP_HEADER, await deflateAside(beginning, FLUSHED)]);
}

/**
 * Ends a gzip member whose deflated beginning stops at a byte boundary: writes the tail as a stored block,
 * then the checksum and length of everything. `before` gives those of the beginning. Returns where the member
 * ends.
 */
export function writeGzipEnd(
  memory: Buffer,
  start: number,
  tail: Tail,
  before: { readonly crc: number; readonly bytes: number },
): number {
  const at = putStoredHead(memory, start, { bytes: tail.length, last: true });
  const end = putTail(memory, tail, at);
  const crc = crc32(memory.subarray(at, end), before.crc);
  return putTrailer(memory, end, { crc, bytes: before.bytes + tail.length });
}

/** Writes the head of a stored block and returns where it ends. */
export function putStoredHead(
  memory: Buffer,
  at: number,
  { bytes, last }: { readonly bytes: number; readonly last: boolean },
): number {
  memory[at] = last ? 1 : 0;
  memory.writeUInt16LE(bytes, at + 1);
  memory.writeUInt16LE(~bytes & 0xffff, at + 3);
  return at + STORED_HEAD_BYTES;
}

/** Writes a member's trailer, with the checksum and length of the whole body, and returns where it ends. */
export function putTrailer(
  memory: Buffer,
  at: number,
  { crc, bytes }: { readonly crc: number; readonly bytes: number },
): number {
  memory.writeUInt32LE(crc, at);
  memory.writeUInt32LE(bytes >>> 0, at + 4);
  return at + GZIP_TRAILER_BYTES;
}

/** Writes a tail and returns where it ends. */
export function putTail(memory: Buffer, tail: Tail, at: number): number {
  if (typeof tail === "string") return at + memory.write(tail, at, "latin1");
  memory.set(tail, at);
  return at + tail.length;
}
