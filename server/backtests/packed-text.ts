import { constants, crc32, deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * A result as it is stored: its checksum, its length, and its text deflated up to a byte boundary with no
 * last block. So it can stand in the middle of a gzip member as it is, and a poll neither inflates nor
 * compresses it.
 */
const LENGTH_AT = 4;
const HEAD_BYTES = 8;
/** A result is 2 % longer than at the default level, and takes 60 % of its time. */
const LEVEL = 4;
const HOW = { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH };
/** Deflated one by one, each by itself: as long as the format looks back, and a fraction of a millisecond. */
const PIECE_BYTES = 32 * 1024;

export interface PackedText {
  /** CRC-32 of the text. */
  readonly crc: number;
  /** Of the text. */
  readonly bytes: number;
  /** Deflate blocks, none of them the last (RFC 1951, 3.2.3). */
  readonly deflated: Uint8Array;
}

/** A text as it is stored; of bytes, UTF-8. `breathe` is called between pieces. */
export function packText(text: string | Uint8Array, breathe: () => void = () => {}): Uint8Array {
  const plain = typeof text === "string" ? Buffer.from(text) : text;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(crc32(plain), 0);
  head.writeUInt32LE(plain.length, LENGTH_AT);
  const parts: Uint8Array[] = [head];
  for (let at = 0; at < plain.length; at += PIECE_BYTES) {
    breathe();
    parts.push(deflateRawSync(plain.subarray(at, at + PIECE_BYTES), HOW));
  }
  return Buffer.concat(parts);
}

export function packedTextOf(stored: Uint8Array): PackedText {
  const { buffer, byteOffset, byteLength } = stored;
  const memory = Buffer.from(buffer, byteOffset, byteLength);
  return {
    crc: memory.readUInt32LE(0),
    bytes: memory.readUInt32LE(LENGTH_AT),
    deflated: memory.subarray(HEAD_BYTES),
  };
}

export function unpackText({ deflated }: PackedText): Buffer {
  return inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH });
}
