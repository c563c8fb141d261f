import { stat } from "node:fs/promises";
import type BackgroundDatabase from "libsql/promise";
import { dateOf, DAY_MS } from "../period.ts";
import { DurableLog, emptyLog } from "./durable-log.ts";
import { databaseAt, loadThreadedDriver } from "./driver.ts";
import { SameFile } from "./same-file.ts";
import { PAGE_BYTES } from "./state-file.ts";

/**
 * Keeps the state file short and safe while a server runs. It works on libsql's own threads, so that no
 * request waits for a disk:
 *
 * - Once a second, if the log was written to, it is forced to the disk.
 * - A log that has grown long is moved into the file (a checkpoint). Most of it is moved while others write,
 *   the rest under the write lock, for which writers wait in their next turns. Calls do not need that lock.
 * - Before anything else it sees whether the state file is still the one at its path. If not, it never touches
 *   what is there now: the log beside it belongs to the former one.
 * - Rows of `calls` older than `CALLS_KEPT_DAYS` are deleted, a few at a time, unless the clock is in doubt.
 */
const LOG_MAX_BYTES = 4 * 1024 * 1024;
/**
 * The log's modification time moves in steps of milliseconds, so a write just after a round may show no
 * change of time. A second round catches it.
 */
const SYNCS_PER_CHANGE = 2;
const LOCK_WAIT_MS = 250;
const CALLS_KEPT_DAYS = 62;
const CUT_ROWS_MAX = 500;

/** A frame of the log is a page and its header (SQLite file format, section 4.1). */
const FRAME_BYTES = PAGE_BYTES + 24;

export interface HousekeepingOptions {
  /** The state file, which is open already. */
  readonly file: string;
  readonly warn: (message: string) => void;
  /** Called once, when another file has taken the state file's place, or none. */
  readonly onReplaced: () => void;
}

export class Housekeeping {
  readonly #options: HousekeepingOptions;
  readonly #place: SameFile;
  #isReplaced = false;
  /** Opened by the first round, to keep it out of the start. */
  #db: BackgroundDatabase | undefined;
  readonly #log: DurableLog;
  #loggedMs = 0;
  #syncsDue = 0;
  #cutDay = "";
  #running: Promise<void> | undefined;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
    this.#place = new SameFile(options.file);
    this.#log = new DurableLog(options.file, () => emptyLog(this.#database()));
  }

  /**
   * Runs one round, or joins the round under way. Never rejects. Without an instant, nothing is deleted: see
   * `RetentionClock`.
   */
  round(nowMs: number | undefined): Promise<void> {
    this.#running ??= this.#round(nowMs)
      .catch((error: unknown) =>
        this.#options.warn(`housekeeping of the state file failed: ${text(error)}`),
      )
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Moves the whole log into the file and closes it. */
  async close(): Promise<void> {
    await this.#running;
    await this.#look();
    if (this.#isReplaced) return;
    try {
      const db = this.#database();
      await db.exec("PRAGMA wal_checkpoint(TRUNCATE)").finally(() => db.close());
    } catch (error) {
      this.#options.warn(`the state file's log stays beside it: ${text(error)}`);
    }
    await this.#log.close();
  }

  #database(): BackgroundDatabase {
    return (this.#db ??= openDatabase(this.#options.file));
  }

  async #look(): Promise<void> {
    if (this.#isReplaced || (await this.#place.isThere())) return;
    this.#isReplaced = true;
    this.#options.onReplaced();
  }

  async #round(nowMs: number | undefined): Promise<void> {
    await this.#look();
    if (this.#isReplaced) return;
    const log = await stat(`${this.#options.file}-wal`);
    if (log.mtimeMs !== this.#loggedMs) this.#syncsDue = SYNCS_PER_CHANGE;
    this.#loggedMs = log.mtimeMs;
    if (this.#syncsDue > 0 || this.#log.isInDoubt) {
      this.#syncsDue = Math.max(0, this.#syncsDue - 1);
      await this.#log.sync();
      if (log.size > LOG_MAX_BYTES) await this.#shorten();
    }
    if (nowMs !== undefined) await this.#cutCalls(dateOf(nowMs - CALLS_KEPT_DAYS * DAY_MS));
  }

  /** The log's file never shrinks; what counts is how much of it is in use. */
  async #shorten(): Promise<void> {
    const db = this.#database();
    const bulk = await db.prepare("PRAGMA wal_checkpoint(PASSIVE)");
    const [state] = (await bulk.all()) as [{ log: number }];
    if (state.log * FRAME_BYTES > LOG_MAX_BYTES) {
      await db.exec("PRAGMA wal_checkpoint(RESTART)");
    }
  }

  async #cutCalls(before: string): Promise<void> {
    if (this.#cutDay === before) return;
    const db = this.#database();
    // libsql runs `exec` and `all` on its own threads; its `run` and `get` would block this one.
    await db.exec(`
DELETE FROM calls WHERE (day, account_id, env, endpoint) IN (
  SELECT day, account_id, env, endpoint FROM calls WHERE day < '${before}' LIMIT ${CUT_ROWS_MAX})`);
    const changes = await db.prepare("SELECT changes() AS cut");
    const [{ cut }] = (await changes.all()) as [{ cut: number }];
    if (cut < CUT_ROWS_MAX) this.#cutDay = before;
  }
}

function openDatabase(file: string): BackgroundDatabase {
  const Driver = loadThreadedDriver();
  return new Driver(databaseAt(file), { timeout: LOCK_WAIT_MS });
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
