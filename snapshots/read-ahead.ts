import { resolve } from "node:path";
import { findCurrent } from "./folder.ts";
import { FILES_SERVED } from "./served-files.ts";
import { verifyFiles, type VerifiedFiles } from "./verified-files.ts";

interface Reading {
  readonly dir: string;
  readonly files: Promise<VerifiedFiles>;
}

/**
 * Reads and verifies the snapshot in force from the moment it is made, on another thread, for whoever opens it once the
 * program has loaded. It is good for one opening: what it read is let go of with it.
 */
export class ReadAhead {
  #reading: Promise<Reading | undefined> | undefined;

  constructor(root: string) {
    this.#reading = begin(root).catch(() => undefined); // whoever opens the snapshot meets it again, and says so
  }

  /** The files of this snapshot where they were read ahead, else read now; rejects as `verifyFiles` does. */
  async take(dir: string): Promise<VerifiedFiles> {
    const reading = await this.#reading;
    this.#reading = undefined;
    if (reading !== undefined && resolve(reading.dir) === resolve(dir)) return await reading.files;
    return await verifyFiles(dir, FILES_SERVED);
  }
}

async function begin(root: string): Promise<Reading | undefined> {
  const dir = await findCurrent(root);
  if (dir === undefined) return undefined;
  const files = verifyFiles(dir, FILES_SERVED);
  files.catch(() => {}); // met where it is taken
  return { dir, files };
}
