import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

/** The event loop turns between two slices: the database is closed, and signals are handled, meanwhile. */
const SLICE_BYTES = 1 << 20;

export interface FileDigest {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Size and checksum of a file that may be too large for memory. */
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
