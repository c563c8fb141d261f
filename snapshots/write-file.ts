import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

/** Writes a new file and waits until it is on the disk. */
export async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Pieces that are written with one call of the operating system. */
const PIECES_AT_ONCE = 512;

/** The same of a file that comes in pieces. */
export async function writePieces(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx");
  try {
    let waiting: Uint8Array[] = [];
    for await (const piece of pieces) {
      waiting.push(piece);
      if (waiting.length < PIECES_AT_ONCE) continue;
      await writeAll(file, waiting);
      waiting = [];
    }
    await writeAll(file, waiting);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The operating system may write less than it was given, on a full disk for example: then again, and it says why. */
async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  if (pieces.length === 0) return;
  let { bytesWritten } = await file.writev(pieces);
  for (const piece of pieces) {
    if (bytesWritten < piece.byteLength) await file.writeFile(piece.subarray(bytesWritten));
    bytesWritten = Math.max(0, bytesWritten - piece.byteLength);
  }
}
