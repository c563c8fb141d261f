import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync } from "node:zlib";

/** Gzip member header: deflate, no name, no time, unknown system (RFC 1952, 2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Size of the head of a stored deflate block: one byte and two lengths (RFC 1951, 3.2.4). */
const STORED_HEAD_BYTES = 5;
/** Size of the trailer of a gzip member: CRC-32 and length of the plain body. */
const TRAILER_BYTES = 8;
/** What a gzip member needs after its deflated prefix, apart from the suffix itself. */
export const GZIP_END_BYTES = STORED_HEAD_BYTES + TRAILER_BYTES;

const deflateAside = promisify(deflateRaw);
const FLUSHED = { finishFlush: constants.Z_SYNC_FLUSH };

/** The end of a body, in ASCII. */
export type Suffix = string | Buffer;

/** A gzip member up to the end of its deflated part, at a byte boundary, after which more may follow. */
export function startGzip(prefix: Uint8Array): Buffer {
  return Buffer.concat([HEADER, deflateRawSync(prefix, FLUSHED)]);
}

/** The same bytes, made off the event loop. */
export async function startGzipAside(prefix: Uint8Array): Promise<Buffer> {
  return Buffer.concat([HEADER, await deflateAside(prefix, FLUSHED)]);
}

/**
 * Ends a gzip member whose deflated prefix stops at a byte boundary: writes the suffix as a stored block,
 * then the checksum and length of everything. `before` gives those of the prefix. Returns where the member
 * ends.
 */
export function writeGzipEnd(
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

/** Writes a suffix and returns where it ends. */
export function putSuffix(memory: Buffer, suffix: Suffix, at: number): number {
  if (typeof suffix === "string") return at + memory.write(suffix, at, "latin1");
  memory.set(suffix, at);
  return at + suffix.length;
}
