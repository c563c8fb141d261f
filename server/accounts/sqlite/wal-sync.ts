import { statSync, type BigIntStats } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type BackgroundDatabase from "libsql/promise";
import { databaseAt, loadThreadedDriver } from "./driver.ts";

/** A write-ahead log in use beyond this is moved into the file and begun anew. */
const LOG_MAX_BYTES = 16 * 1024 * 1024;
/** A frame of the log is a page and its header (SQLite file format, section 4.1). */
const FRAME_BYTES = 4096 + 24;
const REPLACED =
  "the state file was removed or replaced while it was open, so nothing more is stored; stop the server and start it again";

export interface WalSyncOptions {
  /** The state file, which is open already. */
  readonly file: string;
  /** How many rows were written since it was opened. */
  readonly changes: () => number;
  /** Lets writers wait while work runs. */
  readonly hold: (work: () => Promise<void>) => Promise<void>;
}

/**
 * Keeps the state file short and safe: once a second it forces the log to the disk and, when the log has grown long,
 * moves it into the file. Both happen on threads of their own, so that no request waits for a disk.
 *
 * After the disk has refused, a force that succeeds proves nothing: the system may have dropped what was written. So
 * before one counts again, the whole log is moved into the state file, which writes it a second time.
 */
export class WalSync {
  readonly #options: WalSyncOptions;
  readonly #opened: BigIntStats;
  /** Opened when it is first needed, to keep it out of the start. */
  #db: BackgroundDatabase | undefined;
  /** The log carries no locks, so opening it beside SQLite is safe. It exists while a connection is open. */
  #log: FileHandle | undefined;
  /** How many of the changes were forced to the disk by the last round. */
  #synced = -1;
  /** The force under way or done last, and the one that follows it. */
  #sync: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;
  /** Whether the disk has refused a force, and none has counted since. */
  #isInDoubt = false;
  /** Whether another file has taken the state file's place, or none: then nothing written is kept. */
  #isReplaced = false;

  constructor(options: WalSyncOptions) {
    this.#options = options;
    this.#opened = statSync(options.file, { bigint: true });
  }

  /** Why the file cannot be used any more; undefined as long as it can. */
  get fault(): string | undefined {
    return this.#isReplaced ? REPLACED : undefined;
  }

  /** Resolves once everything written before is on the disk. Calls made while a force is under way share the next. */
  sync(): Promise<void> {
    this.#nextSync ??= this.#sync
      .catch(() => {}) // for those who waited for it
      .then(() => {
        this.#nextSync = undefined;
        return (this.#sync = this.#force());
      });
    return this.#nextSync;
  }

  /** What is wrong with the file's pages; undefined as long as nothing is known. */
  damage: string | undefined;

  /** Looks at every page, on a thread, while others write. */
  async examine(): Promise<void> {
    const statement = await this.#driver().prepare("PRAGMA quick_check(1)");
    const [found] = (await statement.all()) as [{ readonly quick_check: string }];
    if (found.quick_check !== "ok") this.damage = found.quick_check.replaceAll(/\s+/g, " ");
  }

  async round(): Promise<void> {
    // The log beside another file of the same name belongs to that one.
    this.#isReplaced ||= !(await this.#isThere());
    if (this.#isReplaced) throw new Error(REPLACED);
    const changes = this.#options.changes();
    if (changes === this.#synced && !this.#isInDoubt) return;
    await this.sync();
    this.#synced = changes;
    if ((await stat(this.#logFile)).size > LOG_MAX_BYTES) await this.#shorten();
  }

  /** Moves the whole log into the file. Nothing may be written any more. */
  async close(): Promise<void> {
    try {
      if (!this.#isReplaced && (await this.#isThere())) await this.#checkpoint("TRUNCATE");
      await (this.#nextSync ?? this.#sync).catch(() => {});
    } finally {
      this.#db?.close();
      await this.#log?.close();
    }
  }

  get #logFile(): string {
    return `${this.#options.file}-wal`;
  }

  /** Whether the open file is still the one at its path. A folder that cannot be read shows nothing else. */
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
    // Another file at the state file's path must not be given this one's log.
    if (!(await this.#isThere())) throw new Error("the state file is not there any more");
    await this.#options.hold(async () => {
      const { busy } = await this.#checkpoint("TRUNCATE");
      if (busy !== 0) throw new Error("the state file's log is in use and cannot be emptied");
    });
    this.#isInDoubt = false;
  }

  /** Most of the log is moved while others write, the rest while they wait: then it begins anew. */
  async #shorten(): Promise<void> {
    const { log } = await this.#checkpoint("PASSIVE");
    if (log * FRAME_BYTES <= LOG_MAX_BYTES) return;
    await this.#options.hold(async () => {
      await this.#checkpoint("PASSIVE");
    });
  }

  #driver(): BackgroundDatabase {
    const Driver = loadThreadedDriver();
    return (this.#db ??= new Driver(databaseAt(this.#options.file), { timeout: 0 }));
  }

  /** SQLite's answer: whether it was kept from finishing, and how many frames the log has. */
  async #checkpoint(mode: "PASSIVE" | "TRUNCATE") {
    const statement = await this.#driver().prepare(`PRAGMA wal_checkpoint(${mode})`);
    const [state] = (await statement.all()) as [{ readonly busy: number; readonly log: number }];
    return state;
  }
}

/** Opens a file that is there, and forces its directory entry to the disk: without it, the file's contents are lost. */
async function openNamed(file: string): Promise<FileHandle> {
  const folder = await open(dirname(file), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return await open(file, "r");
}
