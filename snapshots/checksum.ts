import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

/** Between two slices the event loop turns: a server that opens a snapshot goes on answering. */
const SLICE_BYTES = 1 << 20;

export interface FileDigest {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Size and checksum of a file that is too large to hold. */
export async function digestFile(path: string): Promise<FileDigest> {
  const file = await open(path, "r");
  try {
    const hash = createHash("sha256");
    const slice = new Uint8Array(SLICE_BYTES);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(slice, 0, SLICE_BYTES, bytes);
      if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
      hash.update(slice.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** A file's bytes in memory that worker threads can share, and their digest: what was checked is what is used. */
export async function readShared(
  path: string,
): Promise<{ bytes: Uint8Array } & { digest: FileDigest }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(new SharedArrayBuffer(size));
    const hash = createHash("sha256");
    let position = 0;
    while (position < size) {
      const length = Math.min(SLICE_BYTES, size - position);
      const { bytesRead } = await file.read(bytes, position, length, position);
      if (bytesRead === 0) break; // it became shorter: the size no longer fits the manifest's
      hash.update(bytes.subarray(position, position + bytesRead));
      position += bytesRead;
    }
    return { bytes, digest: { bytes: position, sha256: hash.digest("hex") } };
  } finally {
    await file.close();
  }
}
