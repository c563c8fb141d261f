import { resolve } from "node:path";
import { findCurrent } from "./folder.ts";
import { SERVED_FILES, type VerifiedFiles } from "./verified-files.ts";
import { verifyOnThread } from "./verify-on-thread.ts";

/**
 * Reads and verifies the current snapshot on another thread while the program loads. Serves one opening, after which
 * the memory is released.
 */
export class ReadAhead {
  readonly #stop = new AbortController();
  #begun: Promise<{ readonly dir: string; readonly files: VerifiedFiles } | undefined> | undefined;

  constructor(root: string) {
    this.#begun = this.#begin(root).catch(() => undefined); // `take` reads again and throws the failure
  }

  /**
   * The files of this snapshot, which are read now if they were not read ahead: quietly, because the server may be
   * answering from another snapshot.
   */
  async take(dir: string): Promise<VerifiedFiles> {
    const begun = await this.#begun;
    this.#begun = undefined;
    if (begun !== undefined && resolve(begun.dir) === resolve(dir)) return begun.files;
    return await verifyOnThread({ dir, wanted: SERVED_FILES, quietly: true });
  }

  /** For a process that will not open the snapshot and need not wait for it. */
  close(): void {
    this.#stop.abort();
  }

  async #begin(root: string) {
    const dir = await findCurrent(root);
    if (dir === undefined) return undefined;
    const reading = { dir, wanted: SERVED_FILES, quietly: false };
    return { dir, files: await verifyOnThread(reading, this.#stop.signal) };
  }
}
