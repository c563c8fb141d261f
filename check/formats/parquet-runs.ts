import { readVarInt } from "hyparquet/src/thrift.js";
import { CELLS_MAX } from "./csv.ts";

export interface Reader {
  readonly view: DataView;
  offset: number;
}

export function readerOf({ buffer, byteOffset, byteLength }: Uint8Array): Reader {
  return { view: new DataView(buffer, byteOffset, byteLength), offset: 0 };
}

/** A size or a count, if it can be one. */
export function bounded(value: number, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new RangeError(`${value} where at most ${most} can be`);
}

/**
 * Follows the runs of Parquet's RLE and bit-packing hybrid until there are `count` values. One run of a repeated value
 * may not be longer than that. A packed one may, since it is filled up with zeros, and ends with the bytes at the latest.
 */
export function checkRuns(reader: Reader, width: number, count: number): void {
  bounded(width, 32);
  for (let seen = 0; seen < count;) {
    const header = readVarInt(reader);
    if ((header & 1) === 0) {
      seen += bounded(header >>> 1, count);
      reader.offset += Math.ceil(width / 8);
    } else {
      const groups = bounded(header >>> 1, CELLS_MAX / 8);
      seen += 8 * groups;
      reader.offset += Math.max(1, groups * width);
    }
  }
}

/** Follows the blocks of Parquet's delta encoding, whose sizes hyparquet adds up even if they are negative. */
export function checkDelta(reader: Reader, count: number): void {
  const { view } = reader;
  if (count === 0) return;
  const block = readVarInt(reader);
  const minis = bounded(readVarInt(reader), view.byteLength);
  const values = bounded(block / minis, CELLS_MAX);
  for (let place = 0; place < 2; place++) skipVarInt(reader); // the number of values and the first
  for (let left = count - 1; left > 0;) {
    skipVarInt(reader); // the smallest difference
    const widths = reader.offset;
    reader.offset += minis;
    for (let mini = 0; mini < minis && left > 0; mini++, left -= values) {
      reader.offset += (values * bounded(view.getUint8(widths + mini), 64)) / 8;
    }
  }
}

function skipVarInt(reader: Reader): void {
  const from = reader.offset;
  while (reader.view.getUint8(reader.offset++) >= 0x80) bounded(reader.offset - from, 9);
}
