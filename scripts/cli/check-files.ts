import { constants, statSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { UsageError } from "../support/usage-error.ts";

/** No text can be longer in V8. */
const FILE_MAX = 512 * 1024 * 1024;
const MIB = 1024 * 1024;
/** A pipe that nobody writes to would be waited for. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** The bytes of a file, never more than the limit, however many there are. */
export async function bytesOf(path: string, sizeMax = FILE_MAX): Promise<Uint8Array[]> {
  const file = await open(path, WITHOUT_WAITING).catch((error: Error) => {
    throw new UsageError(`can't read "${path}": ${error.message}`);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new UsageError(`can't read "${path}": ${kindOf(stats)}`);
    const tooLarge = `"${path}" is larger than ${sizeMax / MIB} MiB: no export is`;
    if (stats.size > sizeMax) throw new UsageError(tooLarge);
    const parts: Uint8Array[] = [];
    const stream = file.createReadStream({ end: sizeMax, highWaterMark: MIB });
    for await (const part of stream) parts.push(part as Uint8Array);
    // The size that a file states may be 0 where its end never comes.
    if (parts.reduce((sum, { length }) => sum + length, 0) > sizeMax)
      throw new UsageError(tooLarge);
    return parts;
  } finally {
    await file.close();
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "it is a folder";
  if (stats.isFIFO()) return "it is a pipe; write what comes from it to a file, and check that";
  return "it is a device or a socket, not a file";
}

/** Throws where the report would take the place of the file that is checked, or of something that is no file. */
export function checkTarget(path: string, checkedPath: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isFile()) throw new UsageError(`"${path}" (--html) is not a file`);
  const checked = statSync(checkedPath, { throwIfNoEntry: false });
  if (there.ino === checked?.ino && there.dev === checked.dev)
    throw new UsageError(`"${path}" (--html) is the file that is checked`);
}
