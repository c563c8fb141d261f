import { statSync, type BigIntStats } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type BackgroundDatabase from "libsql/promise";
import { databaseAt, loadThreadedDriver, sqliteCode } from "./driver.ts";

/** A longer write-ahead log is moved into the file and begun anew. */
const LOG_MAX_BYTES = 16 * 1024 * 1024;
/** A frame of the log is a page and its header (SQLite file format, section 4.1). */
const FRAME_BYTES = 4096 + 24;
const REPLACED =
  "the state file was removed or replaced while it was open, so nothing more is stored; stop the server and start it again";

interface WalSyncOptions {
  /** The state file, which is open. */
  readonly file: string;
  /** The number of rows written since it was opened. */
  readonly changes: () => number;
  /** Holds writers back while work runs. */
  readonly hold: (work: () => Promise<void>) => Promise<void>;
}

/**
 * Forces the log of the state file to the disk once a second and, when the log has grown long, moves it into the file.
 * Both happen on other threads, so that no request waits for a disk.
 *
 * After the disk has failed once, a force that succeeds proves nothing, because the system may have dropped what was
 * written. So the whole log is first moved into the state file, which writes it a second time.
 */
export class WalSync {
  readonly #options: WalSyncOptions;
  readonly #opened: BigIntStats;
  /** Opened at its first use, to keep it out of the start. */
  /** Loaded with the state, because loading stops all threads for some 8 ms. */
  readonly #Driver = loadThreadedDriver();
  #db: BackgroundDatabase | undefined;
  /** The log carries no locks, so it may be opened in addition to SQLite. It exists while a connection is open. */
  #log: FileHandle | undefined;
  /** The number of changes that the last round forced to the disk. */
  #synced = -1;
  /** The current or last force, and the one that follows it. */
  #sync: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;
  /** Whether the disk has failed, and not been proven good since. */
  #isInDoubt = false;
  /** The reason why the file cannot be used any more, since nothing written would be kept; undefined while it can. */
  fault: string | undefined;

  constructor(options: WalSyncOptions) {
    this.#options = options;
    this.#opened = statSync(options.file, { bigint: true });
  }

  /** Resolves once everything written before is on the disk. Calls during a force share the next one. */
  sync(): Promise<void> {
    this.#nextSync ??= this.#sync
      .catch(() => {}) // its own callers get the error
      .then(() => {
        this.#nextSync = undefined;
        return (this.#sync = this.#force());
      });
    return this.#nextSync;
  }

  /** Checks every page, on a thread, while others write. Returns the damage found, if any. */
  async examine(): Promise<string | undefined> {
    try {
      const statement = await this.#driver().prepare("PRAGMA quick_check(1)");
      const [found] = (await statement.all()) as [{ readonly quick_check: string }];
      const { quick_check: damage } = found;
      return damage === "ok" ? undefined : damage.replaceAll(/\s+/g, " ");
    } catch (error) {
      return sqliteCode(error) === undefined ? undefined : String(error);
    }
  }

  async round(): Promise<void> {
    // A log next to another file of the same name belongs to that file.
    if (!(await this.#isThere())) this.fault = REPLACED;
    if (this.fault !== undefined) throw new Error(this.fault);
    const changes = this.#options.changes();
    if (changes === this.#synced && !this.#isInDoubt) return;
    await this.sync();
    this.#synced = changes;
    if ((await stat(this.#logFile)).size > LOG_MAX_BYTES) await this.#shorten();
  }

  /** Moves the whole log into the file. Nothing may be written after this call. */
  async close(): Promise<void> {
    try {
      if (this.fault === undefined && (await this.#isThere())) await this.#checkpoint("TRUNCATE");
      await (this.#nextSync ?? this.#sync).catch(() => {});
    } finally {
      this.#db?.close();
      await this.#log?.close();
    }
  }

  get #logFile(): string {
    return `${this.#options.file}-wal`;
  }

  /** Whether the open file is still the one at its path. True if the folder cannot be read. */
  async #isThere(): Promise<boolean> {
    try {
      const found = await stat(this.#options.file, { bigint: true });
      return found.ino === this.#opened.ino && found.dev === this.#opened.dev;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== "ENOENT";
    }
  }

  async #force(): Promise<void> {
    this.#log ??= await openNamed(this.#logFile);
    if (this.#isInDoubt) await this.#writeAgain();
    try {
      await this.#log.datasync();
    } catch (error) {
      this.#isInDoubt = true;
      throw error;
    }
  }

  async #writeAgain(): Promise<void> {
    // The log must not be moved into another file at the state file's path.
    if (!(await this.#isThere())) throw new Error("the state file is not there any more");
    await this.#options.hold(async () => {
      const { busy } = await this.#checkpoint("TRUNCATE");
      if (busy !== 0) throw new Error("the state file's log is in use and cannot be emptied");
    });
    this.#isInDoubt = false;
  }

  /** Moves most of the log while others write and the rest while they wait, so that it begins anew. */
  async #shorten(): Promise<void> {
    const { log } = await this.#checkpoint("PASSIVE");
    if (log * FRAME_BYTES <= LOG_MAX_BYTES) return;
    await this.#options.hold(async () => {
      await this.#checkpoint("PASSIVE");
    });
  }

  #driver(): BackgroundDatabase {
    return (this.#db ??= new this.#Driver(databaseAt(this.#options.file), { timeout: 0 }));
  }

  /** SQLite's answer: whether something kept it from finishing, and the number of frames in the log. */
  async #checkpoint(mode: "PASSIVE" | "TRUNCATE") {
    const statement = await this.#driver().prepare(`PRAGMA wal_checkpoint(${mode})`);
    const [state] = (await statement.all()) as [{ readonly busy: number; readonly log: number }];
    return state;
  }
}

/** Opens an existing file and forces its directory entry to the disk, without which its contents could be lost. */
async function openNamed(file: string): Promise<FileHandle> {
  const folder = await open(dirname(file), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return await open(file, "r");
}
