import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { SameFile } from "./same-file.ts";

/**
 * Forces the state file's log to the disk, off the event loop. Calls made while one is under way share the next.
 *
 * After the disk has refused, a force that succeeds proves nothing: the system may have dropped what was written. So
 * before one counts again, the whole log is moved into the state file, which writes it a second time.
 *
 * The log carries no locks, so opening it beside SQLite is safe. It exists while a connection is open.
 */
export class DurableLog {
  readonly #file: string;
  readonly #place: SameFile;
  readonly #emptyLog: () => Promise<void>;
  #log: Promise<FileHandle> | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isInDoubt = false;

  /**
   * `place` is that of the state file. `emptyLog` moves the whole log into it, forces that to the disk and empties the log.
   */
  constructor(stateFile: string, place: SameFile, emptyLog: () => Promise<void>) {
    this.#file = `${stateFile}-wal`;
    this.#place = place;
    this.#emptyLog = emptyLog;
  }

  /** Whether the disk has refused a force, and none has counted since. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
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
    const log = await this.#log;
    if (this.#isInDoubt) await this.#beginAnew();
    try {
      await log.datasync();
    } catch (error) {
      this.#isInDoubt = true;
      throw error;
    }
  }

  async #beginAnew(): Promise<void> {
    // Another file at the state file's path must not be given this one's log.
    if (!(await this.#place.isThere())) throw new Error("the state file is not there any more");
    await this.#emptyLog();
    this.#isInDoubt = false;
  }
}

/** Opens a file and forces its directory entry to the disk: without it, the file's contents are lost. */
async function openNamed(file: string): Promise<FileHandle> {
  const opened = await open(file, "r");
  try {
    const folder = await open(dirname(file), "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}
