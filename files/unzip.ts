import { FileRefused } from "./refused.ts";
import { strFromU8, unzipSync, type UnzipFileInfo } from "fflate";
import { shortened } from "./numbers.ts";

const ENTRIES_MAX = 100;
const UNPACKED_MAX = 200 * 1024 * 1024;
/** Below this size a high ratio isn't a bomb, since equal lines pack well. */
const RATIO_FROM = 1024 * 1024;
const RATIO_MAX = 200;

/**
 * The files of a zip that `wanted` accepts. The sizes in its list of files are checked before anything is unpacked, and no
 * entry can become larger than its listed size, because fflate allocates just that much.
 */
export function unzip(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
): ReadonlyMap<string, Uint8Array> {
  let entries = 0;
  let unpacked = 0;
  const filter = ({ name, size, originalSize }: UnzipFileInfo) => {
    unpacked += originalSize;
    if (++entries > ENTRIES_MAX)
      throw new FileRefused(`the zip has more than ${ENTRIES_MAX} files`);
    if (unpacked > UNPACKED_MAX) throw new FileRefused("the zip unpacks to more than 200 MiB");
    if (originalSize > RATIO_FROM && originalSize > RATIO_MAX * size) {
      throw new FileRefused(
        `"${shortened(name)}" in the zip unpacks to over ${RATIO_MAX} times its size`,
      );
    }
    return wanted(name);
  };
  try {
    const sums = checksums(bytes);
    if (sums === undefined)
      throw new FileRefused(
        "the zip is damaged: bytes of it are missing or were added; send it anew",
      );
    const files = new Map(Object.entries(unzipSync(bytes, { filter })));
    for (const [name, content] of files) {
      if (sums.has(name) && sums.get(name) !== checksum(content))
        throw new FileRefused(`the zip is damaged: "${shortened(name)}" is not what was packed`);
    }
    return files;
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused(
      `the zip is damaged: ${error instanceof Error ? error.message : "unreadable"}`,
    );
  }
}

/** A zip ends with a record of this size, followed by a comment. */
const END_SIZE = 22;
const COMMENT_MAX = 65_535;
const OF_ZIP64 = 0xffff_ffff;

/**
 * The checksum of each file in the list of files. Undefined if the list is not where the end of the zip says, which fflate
 * doesn't notice. Nor does it verify checksums, and it cuts a file off where its size is damaged.
 */
function checksums(bytes: Uint8Array): ReadonlyMap<string, number> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const least = Math.max(0, bytes.length - END_SIZE - COMMENT_MAX);
  for (let end = bytes.length - END_SIZE; end >= least; end--) {
    if (view.getUint32(end, true) !== 0x0605_4b50) continue;
    const from = view.getUint32(end + 16, true);
    if (from === OF_ZIP64 || from === end) return new Map();
    const isThere = from < end && view.getUint32(from, true) === ENTRY_MARK;
    return isThere ? listed(view, from, end) : undefined;
  }
  return undefined;
}

const ENTRY_MARK = 0x0201_4b50;
const ENTRY_SIZE = 46;

function listed(view: DataView, from: number, end: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (let at = from; at + ENTRY_SIZE <= end && view.getUint32(at, true) === ENTRY_MARK;) {
    const [name, extra, comment] = [28, 30, 32].map((index) => view.getUint16(at + index, true));
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at + ENTRY_SIZE, name);
    const isUtf8 = (view.getUint16(at + 8, true) & 0x800) !== 0;
    sums.set(strFromU8(bytes, !isUtf8), view.getUint32(at + 16, true));
    at += ENTRY_SIZE + name! + extra! + comment!; // three places, three numbers
  }
  return sums;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++)
    rest = (rest & 1) === 1 ? 0xedb8_8320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** CRC-32 as in zip and gzip. */
function checksum(bytes: Uint8Array): number {
  let rest = 0xffff_ffff;
  for (const byte of bytes) rest = CRC_TABLE[(rest ^ byte) & 255]! ^ (rest >>> 8);
  return ~rest >>> 0;
}
