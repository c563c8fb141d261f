import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Forces the state file's log to the disk, off the event loop. Calls made while one is under way share the
 * next, so that a job waits for the disk twice at most, however many are accepted at once.
 *
 * The log carries no locks, so opening it beside SQLite is safe. It exists while a connection is open.
 */
export class DurableLog {
  readonly #file: string;
  #log: Promise<FileHandle> | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(stateFile: string) {
    this.#file = `${stateFile}-wal`;
  }

  /** Resolves once everything written before the call is on the disk. */
  sync(): Promise<void> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#running?.catch(() => {}); // its own caller was told
    await (await this.#log?.catch(() => undefined))?.close();
  }

  #start(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#sync().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #sync(): Promise<void> {
    this.#log ??= openNamed(this.#file).catch((error: unknown) => {
      this.#log = undefined; // the next call tries again
      throw error;
    });
    await (await this.#log).datasync();
  }
}

/** Opens a file and forces its directory entry to the disk: without it, the file's contents are lost. */
async function openNamed(file: string): Promise<FileHandle> {
  const opened = await open(file, "r");
  const folder = await open(dirname(file), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return opened;
}
