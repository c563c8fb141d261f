import { chmodSync, closeSync, existsSync, openSync, statSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import type Database from "libsql";
import { makeFolder } from "../../../snapshots/make-folder.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { AccountsRefused } from "../refused.ts";
import { databaseAt, loadDriver } from "./driver.ts";
import { isFormer } from "./former-meters.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";
import { withSteadyStatements } from "./steady-statement.ts";

/**
 * The state file: SQLite in WAL mode, which several processes of one machine may have open at once (not over
 * a network file system). Only its owner may read it, or its folder if we made that.
 *
 * `synchronous = NORMAL`: a commit is handed to the operating system but not forced to the disk, so it
 * survives `kill -9` and a crash of the program. Housekeeping forces the log to the disk every second, so a
 * power loss takes at most the last second. Commands force what they write themselves. Neither ever leaves the
 * file torn.
 */
export type Connection = Database.Database;

/** Small pages, because settling an account rewrites a few of them and each is written and checksummed whole. */
export const PAGE_BYTES = 1024;
/** With SQLite's default of 2 MB, the upper pages of a large file would be read again and again. */
const CACHE_KIB = 16 * 1024;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** How long opening may wait while another process creates or upgrades the file. */
const OPEN_WAIT_MS = 5_000;
const OPEN_RETRY_MS = 10;

export interface OpenOptions {
  /** How long a statement may wait, in place, for another process's lock. */
  readonly busyMs: number;
  /** Refuse if there is no file yet, instead of making one. */
  readonly mustExist?: boolean;
}

/** Opens the state file, after making it or bringing it up to date if needed. */
export function openStateFile(
  file: string,
  { busyMs, mustExist = false }: OpenOptions,
): Connection {
  try {
    checkPlace(file, mustExist);
    makeFile(file);
    const db = openDatabase(file);
    upgrade(db, file);
    if ((statSync(file).mode & 0o777) !== FILE_MODE) chmodSync(file, FILE_MODE);
    db.exec(`PRAGMA busy_timeout = ${busyMs}`);
    return db;
  } catch (error) {
    if (error instanceof AccountsRefused) throw error;
    if (sqliteCode(error) === "SQLITE_NOTADB") throw notOurs(file, error);
    const message = `cannot open the state file "${file}": ${reason(error)}${adviceOn(error)}`;
    throw new AccountsUnavailable(message, { cause: error });
  }
}

function checkPlace(file: string, mustExist: boolean): void {
  const found = statOf(file);
  if (found === undefined && mustExist) {
    throw new AccountsRefused("no_state_file", `there is no state file at "${file}"`);
  }
  if (found?.isDirectory() === true) {
    throw new AccountsRefused("not_a_state_file", `"${file}" is a folder, not a state file`);
  }
}

/** Not by `throwIfNoEntry`, which from Node 22 on is silent about a path that leads through a file, too. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Runs work in one write transaction: all of it reaches the file, or none of it. */
export function inTransaction<T>(db: Connection, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** SQLite's own name for a failure, such as "SQLITE_BUSY"; undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
}

/**
 * Names a failure of the store as the `Accounts` interface does. Anything else is a defect and is returned as
 * it is.
 */
export function storeFailure(error: unknown): Error {
  if (sqliteCode(error) === undefined) {
    return error instanceof Error ? error : new Error(String(error));
  }
  return new AccountsUnavailable(`the state file cannot answer: ${reason(error)}`, {
    cause: error,
  });
}

/** Whether another process has the lock, of the file or of a meter. */
export function isBusy(error: unknown): boolean {
  const cause = error instanceof AccountsUnavailable ? error.cause : error;
  return sqliteCode(cause)?.startsWith("SQLITE_BUSY") === true;
}

/**
 * Makes an empty file with the right permissions, which SQLite's side files inherit. An existing file is not
 * opened: closing it again would drop the locks that other connections of this process hold.
 */
function makeFile(file: string): void {
  if (existsSync(file)) return;
  makeFolder(dirname(file), FOLDER_MODE);
  closeSync(openSync(file, "a", FILE_MODE));
}

/** Switching to WAL does not wait for locks by itself, so it is retried for a while. */
function openDatabase(file: string): Connection {
  const Driver = loadDriver();
  const db = withSteadyStatements(new Driver(databaseAt(file), { timeout: OPEN_WAIT_MS }));
  for (let waited = 0; ; waited += OPEN_RETRY_MS) {
    try {
      // Checked before anything changes, because the file may be somebody else's.
      versionOf(db, file);
      db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
      db.exec("PRAGMA journal_mode = WAL");
      db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
      db.exec("PRAGMA synchronous = NORMAL");
      db.exec("PRAGMA foreign_keys = ON");
      // Housekeeping moves the log into the file, off the event loop.
      db.exec("PRAGMA wal_autocheckpoint = 0");
      return db;
    } catch (error) {
      if (sqliteCode(error) !== "SQLITE_BUSY" || waited >= OPEN_WAIT_MS) throw error;
      waitInPlace(OPEN_RETRY_MS);
    }
  }
}

/** Holds up the whole process, for what cannot go on without a lock of another's. */
export function waitInPlace(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function upgrade(db: Connection, file: string): void {
  if (versionOf(db, file) === MIGRATIONS.length) return;
  const meters = `${file}-meters`;
  inTransaction(db, () => {
    // Another process may have done it while this one waited for the lock.
    const version = versionOf(db, file);
    // An earlier version refuses the file from now on, and so could not bring in any more what it counted.
    if (version > 0 && existsSync(meters)) isFormer(meters);
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function versionOf(db: Connection, file: string): number {
  const tables = scalar(db, "SELECT count(*) FROM sqlite_schema");
  if (tables === 0) return 0;
  if (scalar(db, "PRAGMA application_id") !== APPLICATION_ID) throw notOurs(file);
  const version = scalar(db, "PRAGMA user_version");
  if (version <= MIGRATIONS.length) return version;
  throw new AccountsRefused(
    "not_a_state_file",
    `the state file "${file}" was written by a newer Hindsight (its version is ${version}, this one knows ${MIGRATIONS.length})`,
  );
}

function scalar(db: Connection, sql: string): number {
  const [value] = db.prepare(sql).raw().get() as [number];
  return value;
}

function notOurs(file: string, cause?: unknown): AccountsRefused {
  const message = `"${file}" is not a Hindsight state file`;
  return new AccountsRefused("not_a_state_file", message, { cause });
}

/**
 * Advice by the beginning of SQLite's name for a failure to open: SQLite's own message says what failed, but
 * not why.
 */
const ADVICE: readonly (readonly [code: string, advice: string])[] = [
  [
    "SQLITE_CORRUPT",
    "it is damaged or was cut off, so put a copy of it in its place; or the disk cannot read it, and the system's log says so",
  ],
  ["SQLITE_CANTOPEN", "it and its folder must be there to be read and written"],
  ["SQLITE_READONLY", "it and its folder must be there to be read and written"],
  ["SQLITE_IOERR", "is the disk full?"],
];

/** What libsql says of a file that it could not open: nothing but SQLite's number. */
const NOT_OPENED = /^ConnectionFailed\(.*: (?<number>\d+)"\)$/s;
const OPENING_FAILURES: Readonly<Partial<Record<string, { code: string; words: string }>>> = {
  "10": { code: "SQLITE_IOERR", words: "disk I/O error" },
  "14": { code: "SQLITE_CANTOPEN", words: "unable to open database file" },
};

function openingFailure(error: unknown): { code: string; words: string } | undefined {
  const number = error instanceof Error ? NOT_OPENED.exec(error.message)?.groups?.["number"] : "";
  return OPENING_FAILURES[number ?? ""];
}

function adviceOn(error: unknown): string {
  const code = openingFailure(error)?.code ?? sqliteCode(error) ?? "";
  const found = ADVICE.find(([start]) => code.startsWith(start));
  return found === undefined ? "" : `: ${found[1]}`;
}

function reason(error: unknown): string {
  const told = error instanceof Error ? error.message : String(error);
  return openingFailure(error)?.words ?? told;
}
