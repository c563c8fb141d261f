import type { FileDigest } from "./checksum.ts";
import { digestFile, readShared } from "./checksum.ts";
import { unlessMissing } from "./folder.ts";

export interface WantedFile {
  readonly path: string;
  /** Whether its bytes stay in memory. */
  readonly keep: boolean;
}

export interface ReadFile {
  readonly digest: FileDigest;
  /** Just what was digested, in shared memory; undefined where it was not to be kept. */
  readonly bytes?: Uint8Array;
}

/** Reads each file once, to the end, for its checksum. Undefined where there is none. */
export async function readFiles(
  files: readonly WantedFile[],
): Promise<readonly (ReadFile | undefined)[]> {
  return await Promise.all(
    files.map(({ path, keep }) =>
      unlessMissing<ReadFile>(
        keep ? readShared(path) : digestFile(path).then((digest) => ({ digest })),
      ),
    ),
  );
}
