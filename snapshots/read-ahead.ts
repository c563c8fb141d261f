import { resolve } from "node:path";
import { findCurrent } from "./folder.ts";
import { FileReader } from "./file-reader.ts";
import { keepServed } from "./served-files.ts";
import { verifyFiles, type VerifiedFiles } from "./verified-files.ts";

interface Begun {
  readonly dir: string;
  readonly reader: FileReader;
  readonly files: Promise<VerifiedFiles>;
}

/**
 * Starts to read and verify the current snapshot on another thread as soon as it is constructed, so that
 * the files are there once the program has loaded. Good for one opening, after which the memory is
 * released.
 */
export class ReadAhead {
  #begun: Promise<Begun | undefined> | undefined;

  constructor(root: string) {
    this.#begun = begin(root).catch(() => undefined); // `take` tries again, and throws it
  }

  /**
   * The files of this snapshot if they were read ahead. If not, reads them now, without getting in the way
   * of a server that answers from another snapshot. Rejects as `verifyFiles` does. The calling thread
   * cannot go on without the files, so it helps to read whatever is left of them.
   */
  async take(dir: string): Promise<VerifiedFiles> {
    const begun = await this.#begun;
    this.#begun = undefined;
    if (begun === undefined || resolve(begun.dir) !== resolve(dir)) {
      return await verifyFiles(dir, keepServed, new FileReader({ quietly: true }));
    }
    void begun.reader.help();
    return await begun.files;
  }

  /** For a process that will not open the snapshot and need not wait for it. */
  async close(): Promise<void> {
    (await this.#begun)?.reader.close();
  }
}

async function begin(root: string): Promise<Begun | undefined> {
  const reader = new FileReader();
  const dir = await findCurrent(root).catch(() => undefined);
  if (dir === undefined) {
    reader.close();
    return undefined;
  }
  const files = verifyFiles(dir, keepServed, reader);
  files.catch(() => {}); // `take` throws it
  return { dir, reader, files };
}
