import { stat } from "node:fs/promises";
import type BackgroundDatabase from "libsql/promise";
import { databaseAt, loadThreadedDriver } from "./driver.ts";
import { DurableLog } from "./durable-log.ts";
import { SameFile } from "./same-file.ts";

/** A write-ahead log in use beyond this is moved into the file and begun anew. */
const LOG_MAX_BYTES = 16 * 1024 * 1024;
/** A frame of the log is a page and its header (SQLite file format, section 4.1). */
const FRAME_BYTES = 4096 + 24;
/**
 * The log's modification time moves in steps of milliseconds, so a write just after a round may show no change of
 * time. A second round catches it.
 */
const SYNCS_PER_CHANGE = 2;

export interface DiskOptions {
  /** The state file, which is open already. */
  readonly file: string;
  /** Lets writers wait while work runs. */
  readonly hold: (work: () => Promise<void>) => Promise<void>;
}

/**
 * Keeps the state file short and safe: once a second it forces the log to the disk and, when the log has grown long,
 * moves it into the file. It works on libsql's own threads, so that no request waits for a disk.
 */
export class Disk {
  readonly #options: DiskOptions;
  readonly #place: SameFile;
  readonly #log: DurableLog;
  /** Opened when it is first needed, to keep it out of the start. */
  #db: BackgroundDatabase | undefined;
  #loggedMs = 0;
  #syncsDue = 0;
  #isReplaced = false;

  constructor(options: DiskOptions) {
    this.#options = options;
    this.#place = new SameFile(options.file);
    this.#log = new DurableLog(options.file, this.#place, () =>
      options.hold(() => this.#checkpoint("TRUNCATE").then(refuseBusy)),
    );
  }

  /** Whether another file has taken the state file's place, or none: then nothing written is kept. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Resolves once everything written before is on the disk. */
  sync(): Promise<void> {
    return this.#log.sync();
  }

  async round(): Promise<void> {
    // The log beside another file of the same name belongs to that one.
    this.#isReplaced ||= !(await this.#place.isThere());
    if (this.#isReplaced) return;
    const log = await stat(`${this.#options.file}-wal`);
    if (log.mtimeMs !== this.#loggedMs) this.#syncsDue = SYNCS_PER_CHANGE;
    this.#loggedMs = log.mtimeMs;
    if (this.#syncsDue === 0 && !this.#log.isInDoubt) return;
    this.#syncsDue = Math.max(0, this.#syncsDue - 1);
    await this.#log.sync();
    if (log.size > LOG_MAX_BYTES) await this.#shorten();
  }

  /** Moves the whole log into the file. Nothing may be written any more. */
  async close(): Promise<void> {
    if (!this.#isReplaced && (await this.#place.isThere())) await this.#checkpoint("TRUNCATE");
    this.#db?.close();
    await this.#log.close();
  }

  /** Most of the log is moved while others write, the rest while they wait: then it begins anew. */
  async #shorten(): Promise<void> {
    const { log } = await this.#checkpoint("PASSIVE");
    if (log * FRAME_BYTES <= LOG_MAX_BYTES) return;
    await this.#options.hold(async () => {
      await this.#checkpoint("PASSIVE");
    });
  }

  async #checkpoint(mode: "PASSIVE" | "TRUNCATE"): Promise<CheckpointState> {
    const Driver = loadThreadedDriver();
    this.#db ??= new Driver(databaseAt(this.#options.file), { timeout: 0 });
    const statement = await this.#db.prepare(`PRAGMA wal_checkpoint(${mode})`);
    const [state] = (await statement.all()) as [CheckpointState];
    return state;
  }
}

/** SQLite's answer: whether it was kept from finishing, and how many frames the log has. */
interface CheckpointState {
  readonly busy: number;
  readonly log: number;
}

function refuseBusy({ busy }: CheckpointState): void {
  if (busy !== 0) throw new Error("the state file's log is in use and cannot be emptied");
}
