import { resolve } from "node:path";
import { findCurrent } from "./folder.ts";
import { FileReading } from "./file-reading.ts";
import { keepServed } from "./served-files.ts";
import { verifyFiles, type VerifiedFiles } from "./verified-files.ts";

interface Reading {
  readonly dir: string;
  readonly reading: FileReading;
  readonly files: Promise<VerifiedFiles>;
}

/**
 * Reads and verifies the snapshot in force from the moment it is made, on another thread, for whoever opens it once the
 * program has loaded. It is good for one opening: what it read is let go of with it.
 */
export class ReadAhead {
  #reading: Promise<Reading | undefined> | undefined;

  constructor(root: string) {
    this.#reading = begin(root);
  }

  /**
   * The files of this snapshot where they were read ahead, else read now, beside a server that answers from another;
   * rejects as `verifyFiles` does. What is still to be read ahead is read by the calling thread too, which cannot go on
   * without.
   */
  async take(dir: string): Promise<VerifiedFiles> {
    const reading = await this.#reading;
    this.#reading = undefined;
    if (reading === undefined || resolve(reading.dir) !== resolve(dir)) {
      return await verifyFiles(dir, keepServed, new FileReading({ quietly: true }));
    }
    void reading.reading.help();
    return await reading.files;
  }

  /** For whoever will not open it: the process need not wait for the reading. */
  async close(): Promise<void> {
    (await this.#reading)?.reading.close();
  }
}

async function begin(root: string): Promise<Reading | undefined> {
  const reading = new FileReading();
  const dir = await findCurrent(root).catch(() => undefined);
  if (dir === undefined) {
    reading.close();
    return undefined;
  }
  const files = verifyFiles(dir, keepServed, reading);
  files.catch(() => {}); // met where it is taken
  return { dir, reading, files };
}
