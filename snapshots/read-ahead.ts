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
 * Starts to read and verify the current snapshot on another thread as soon as it is constructed, so that
 * the files are there once the program has loaded. Good for one opening, after which the memory is
 * released.
 */
export class ReadAhead {
  #reading: Promise<Reading | undefined> | undefined;

  constructor(root: string) {
    this.#reading = begin(root).catch(() => undefined); // `take` tries again, and throws it
  }

  /**
   * The files of this snapshot if they were read ahead. If not, reads them now, without getting in the way
   * of a server that answers from another snapshot. Rejects as `verifyFiles` does. The calling thread
   * cannot go on without the files, so it helps to read whatever is left of them.
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

  /** For a process that will not open the snapshot and need not wait for the reading. */
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
  files.catch(() => {}); // `take` throws it
  return { dir, reading, files };
}
