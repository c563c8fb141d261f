import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import type Database from "libsql";
import { makeFolder } from "../../snapshots/make-folder.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { AccountsRefused } from "../refused.ts";
import { databaseAt, loadDriver, sqliteCode, withSteadyStatements } from "./driver.ts";
import { APPLICATION_ID, LINKS, SCHEMA, SCHEMA_VERSION, UPGRADE } from "./schema.ts";

/**
 * The state file: SQLite in WAL mode, opened by its owner only (not on a network file system, where locks do not work).
 * Only its owner's user may read it, and its folder too if we made that.
 *
 * With `synchronous = NORMAL`, a commit is handed to the operating system and not forced to the disk, so it survives
 * `kill -9` and a crash of the program. The log is forced to the disk every second, so a power loss takes the last second
 * at most. It never leaves the file torn.
 */
export type Connection = Database.Database;

/** An open state file with the lock that makes this process its owner. */
export interface OwnedFile {
  /** Its path behind symbolic links. */
  readonly file: string;
  readonly db: Connection;
  readonly close: () => void;
}

const CACHE_KIB = 16 * 1024;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * The file that a path leads to. SQLite keeps its log next to the target of a symbolic link, so the other files of a state
 * file belong there too.
 */
export function fileBehindLinks(path: string): string {
  try {
    readlinkSync(path);
    return realpathSync(path);
  } catch {
    return path; // not a link, or a broken one: opening it fails with the reason
  }
}

/** Opens a state file as its owner. Creates it if it does not exist, unless it must. */
export function openStateFile(path: string, { mustExist = false } = {}): OwnedFile {
  let file = path;
  let owner: Owner | undefined;
  try {
    checkPlace(fileBehindLinks(path), mustExist);
    makeFile(path);
    file = fileBehindLinks(path);
    owner = takeOwnership(file);
    const db = openDatabase(file);
    if ((statSync(file).mode & 0o777) !== FILE_MODE) chmodSync(file, FILE_MODE);
    return {
      file,
      db,
      close() {
        db.close();
        owner?.close();
      },
    };
  } catch (error) {
    owner?.close();
    throw cannotOpen(file, error);
  }
}

/** The error of a state file that cannot be opened, with advice where there is any. */
export function cannotOpen(file: string, error: unknown): Error {
  if (error instanceof AccountsRefused) return error;
  if (sqliteCode(error) === "SQLITE_NOTADB") return notOurs(file, error);
  const message = `cannot open the state file "${file}": ${reason(error)}${adviceOn(error)}`;
  return new AccountsUnavailable(message, { cause: error });
}

function checkPlace(file: string, mustExist: boolean): void {
  const found = statOf(file);
  if (found === undefined && mustExist) {
    throw new AccountsRefused("no_state_file", `there is no state file at "${file}"`);
  }
  if (found?.isDirectory() === true) {
    throw new AccountsRefused("not_a_state_file", `"${file}" is a folder, not a state file`);
  }
  if (existsSync(`${file}-meters`)) throw former(file);
}

/** `throwIfNoEntry` would not do: from Node 22 on it also ignores a path that leads through a file. */
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

/** Runs a read of the file. Its failures are thrown as `AccountsUnavailable`. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw storeFailure(error);
  }
}

/** A failure of the file as `AccountsUnavailable`. Any other error is a defect and stays as it is. */
export function storeFailure(error: unknown): Error {
  if (sqliteCode(error) === undefined) {
    return error instanceof Error ? error : new Error(String(error));
  }
  return new AccountsUnavailable(`the state file cannot answer: ${reason(error)}`, {
    cause: error,
  });
}

/** Creates a file, whose mode its side files inherit. Opening one that exists would drop this process's locks. */
function makeFile(file: string): void {
  if (existsSync(file)) return;
  makeFolder(dirname(file), FOLDER_MODE);
  closeSync(openSync(file, "a", FILE_MODE));
}

function openDatabase(file: string): Connection {
  const Driver = loadDriver();
  const db = withSteadyStatements(new Driver(databaseAt(file), { timeout: 0 }));
  const missing = missingSchema(db, file); // before anything is written: the file may be another program's
  db.exec("PRAGMA journal_mode = WAL");
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  db.exec("PRAGMA synchronous = NORMAL");
  db.exec("PRAGMA foreign_keys = ON");
  db.exec("PRAGMA wal_autocheckpoint = 0"); // checkpoints run off the event loop: `WalSync`
  if (missing !== "") inTransaction(db, () => db.exec(missing + STAMP));
  return db;
}

const STAMP = `
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};`;

/** The SQL that the database lacks: the schema, the upgrade or nothing. Refuses a database that is not ours to use. */
function missingSchema(db: Connection, file: string): string {
  if (scalar(db, "SELECT count(*) FROM sqlite_schema") === 0) return SCHEMA;
  if (scalar(db, "PRAGMA application_id") !== APPLICATION_ID) throw notOurs(file);
  const version = scalar(db, "PRAGMA user_version");
  const shares = "SELECT count(*) FROM sqlite_schema WHERE name = 'shares'";
  if (version === SCHEMA_VERSION) return scalar(db, shares) === 0 ? LINKS : "";
  if (version === SCHEMA_VERSION - 1) return UPGRADE;
  if (version < SCHEMA_VERSION) throw former(file);
  throw new AccountsRefused(
    "not_a_state_file",
    `the state file "${file}" was written by a newer Hindsight (its version is ${version}, this one knows ${SCHEMA_VERSION})`,
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

function former(file: string): AccountsRefused {
  const message = `the state file "${file}" was written by a build before 1.0.0, which counted usage in a file of its own ("${file}-meters"): this version cannot read it; move both away and start with a new state file`;
  return new AccountsRefused("former_state", message);
}

/** Advice by SQLite's name of a failure, which says what failed but not why. */
const ADVICE: readonly (readonly [code: string, advice: string])[] = [
  [
    "SQLITE_CORRUPT",
    "it is damaged or was cut off, so put a copy of it in its place; or the disk cannot read it: see the system's log",
  ],
  ["SQLITE_CANTOPEN", "it and its folder must be there to be read and written"],
  ["SQLITE_READONLY", "it and its folder must be there to be read and written"],
  ["SQLITE_IOERR", "is the disk full?"],
];

/** The message of libsql for a file that it cannot open, which has only SQLite's number. */
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

/** A connection that holds an exclusive lock on the empty database next to the state file. */
type Owner = Pick<Connection, "close">;

const OWNER_FILE_MODE = 0o600;
/** The wait for a command, which owns the file for a moment only. */
const WAIT_MS = 1_000;

/** Takes ownership of a state file, or refuses if another process has it. The file's folder must exist. */
function takeOwnership(file: string): Owner {
  const path = `${file}-owner`;
  // An existing file is not opened, because closing it would drop this process's locks on it.
  if (!existsSync(path)) closeSync(openSync(path, "a", OWNER_FILE_MODE));
  const Driver = loadDriver();
  const db = new Driver(databaseAt(path), { timeout: 0 });
  try {
    db.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    db.exec("BEGIN EXCLUSIVE");
    return db;
  } catch (error) {
    db.close();
    throw sqliteCode(error)?.startsWith("SQLITE_BUSY") === true ? inUse(file) : error;
  }
}

function inUse(file: string): AccountsRefused {
  const message = `the state file "${file}" belongs to another running process: stop that one first; to run several servers, keep the state in Redis (--state redis://...)`;
  return new AccountsRefused("state_in_use", message);
}
