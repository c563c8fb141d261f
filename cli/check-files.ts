import { constants, statSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { UsageError } from "./usage-error.ts";

/** The longest text that V8 can hold. */
const FILE_MAX = 512 * 1024 * 1024;
const MIB = 1024 * 1024;
/** Without it, opening a pipe without a writer would block. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** The path of standard input, and its name in messages. */
export const STANDARD_INPUT = "-";
const STANDARD_INPUT_NAME = "standard input";

/** The name of a file without its folder. */
export function nameOf(path: string): string {
  return path === STANDARD_INPUT ? STANDARD_INPUT_NAME : basename(path);
}

/** The bytes of a file. A file larger than the limit is refused, and never read beyond it. */
export async function bytesOf(path: string, sizeMax = FILE_MAX): Promise<Uint8Array[]> {
  if (path === STANDARD_INPUT) return partsOf(process.stdin, STANDARD_INPUT_NAME, sizeMax);
  const file = await open(path, WITHOUT_WAITING).catch((error: Error) => {
    throw new UsageError(`can't read "${path}": ${reasonOf(error)}`);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new UsageError(`can't read "${path}": ${kindOf(stats)}`);
    if (stats.size > sizeMax) throw tooLarge(`"${path}"`, sizeMax);
    // The size that a file states may be 0 although it never ends.
    const stream = file.createReadStream({ end: sizeMax, highWaterMark: MIB });
    return await partsOf(stream, `"${path}"`, sizeMax);
  } finally {
    await file.close();
  }
}

async function partsOf(
  stream: AsyncIterable<unknown>,
  name: string,
  sizeMax: number,
): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > sizeMax) throw tooLarge(name, sizeMax);
    parts.push(part);
  }
  return parts;
}

function tooLarge(name: string, sizeMax: number): UsageError {
  return new UsageError(`${name} is larger than ${sizeMax / MIB} MiB: no export is`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it is not there",
  ENOTDIR: "a part of the path is a file, not a folder",
  EACCES: "you may not, by the rights of the file or its folder",
  EPERM: "you may not, by the rights of the file or its folder",
  EROFS: "its disk is read-only",
  ENOSPC: "its disk is full",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "its links lead in a circle",
  ENXIO: "it is a device or a socket, not a file",
};

/** The reason of a file error in words. Rare errors keep the words of the system. */
export function reasonOf(error: Error): string {
  return REASONS[String((error as NodeJS.ErrnoException).code)] ?? error.message;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "it is a folder";
  if (stats.isFIFO()) return "it is a pipe; write what comes from it to a file, and check that";
  return "it is a device or a socket, not a file";
}

/** Throws if what an option writes would replace the file that is checked, or something that is not a file. */
export function checkTarget(option: string, path: string, checkedPath: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isFile()) throw new UsageError(`"${path}" (--${option}) is not a file`);
  const checked = statSync(checkedPath, { throwIfNoEntry: false });
  if (there.ino === checked?.ino && there.dev === checked.dev)
    throw new UsageError(`"${path}" (--${option}) is the file that is checked`);
}
