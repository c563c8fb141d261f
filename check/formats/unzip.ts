import { unzipSync } from "fflate";
import { FileRefused } from "./export.ts";

const ENTRIES_MAX = 100;
const UNPACKED_MAX = 200 * 1024 * 1024;
/** Below this size a high ratio is no bomb: a list of equal lines packs well. */
const RATIO_FROM = 1024 * 1024;
const RATIO_MAX = 200;

/**
 * The files of a zip archive that `wanted` names, one level deep. The sizes in its directory are checked before
 * anything is unpacked, and no entry may become larger than its directory says: fflate allocates just that much.
 */
export function unzip(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
): ReadonlyMap<string, Uint8Array> {
  if (!hasDirectory(bytes))
    throw new FileRefused(
      "the zip is damaged: bytes of it are missing or were added; send it anew",
    );
  let entries = 0;
  let unpacked = 0;
  const filter = ({
    name,
    size,
    originalSize,
  }: {
    name: string;
    size: number;
    originalSize: number;
  }) => {
    unpacked += originalSize;
    if (++entries > ENTRIES_MAX)
      throw new FileRefused(`the zip has more than ${ENTRIES_MAX} files`);
    if (unpacked > UNPACKED_MAX) throw new FileRefused("the zip unpacks to more than 200 MiB");
    if (originalSize > RATIO_FROM && originalSize > RATIO_MAX * size) {
      throw new FileRefused(`"${name}" in the zip unpacks to over ${RATIO_MAX} times its size`);
    }
    return wanted(name);
  };
  try {
    return new Map(Object.entries(unzipSync(bytes, { filter })));
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused(
      `the zip is damaged: ${error instanceof Error ? error.message : "unreadable"}`,
    );
  }
}

/** A zip ends with a record of this size and a comment. */
const END_SIZE = 22;
const COMMENT_MAX = 65_535;
const OF_ZIP64 = 0xffff_ffff;

/** Whether the list of files is where the end of the zip says: fflate reads whatever is there. */
function hasDirectory(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const least = Math.max(0, bytes.length - END_SIZE - COMMENT_MAX);
  for (let at = bytes.length - END_SIZE; at >= least; at--) {
    if (view.getUint32(at, true) !== 0x0605_4b50) continue;
    const from = view.getUint32(at + 16, true);
    if (from === OF_ZIP64 || from === at) return true;
    return from < at && view.getUint32(from, true) === 0x0201_4b50;
  }
  return false;
}
