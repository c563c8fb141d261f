import { open, type FileHandle } from "node:fs/promises";

/**
 * Modes of published files and folders, whatever the umask: everyone can read them, and no one changes a file by
 * mistake.
 */
export const PUBLISHED_FILE = 0o444;
export const PUBLISHED_FOLDER = 0o755;

/** Writes a new file with its final mode, and waits until it is on disk. */
export async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
    await protectFile(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a file read-only, unless its file system has no modes. */
export async function protectFile(file: FileHandle): Promise<void> {
  await file.chmod(PUBLISHED_FILE).catch(() => {});
}

/** A new file that is written piece by piece. */
export class GrowingFile {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<GrowingFile> {
    return new GrowingFile(await open(path, "wx"));
  }

  async append(pieces: readonly Uint8Array[]): Promise<void> {
    for (let from = 0; from < pieces.length; from += PIECES_AT_ONCE) {
      await writeAll(this.#file, pieces.slice(from, from + PIECES_AT_ONCE));
    }
  }

  /** Writes the last pieces and waits until everything is on disk. */
  async end(pieces: readonly Uint8Array[]): Promise<void> {
    try {
      await this.append(pieces);
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
  }

  /** Closes the file after a failure. */
  async abandon(): Promise<void> {
    await this.#file.close();
  }
}

/** Most pieces written by one system call. */
const PIECES_AT_ONCE = 512;

/**
 * The system may write less than it was given, for example on a full disk. The second attempt writes the rest or
 * fails.
 */
async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  let { bytesWritten } = await file.writev(pieces);
  for (const piece of pieces) {
    if (bytesWritten < piece.byteLength) await file.writeFile(piece.subarray(bytesWritten));
    bytesWritten = Math.max(0, bytesWritten - piece.byteLength);
  }
}
