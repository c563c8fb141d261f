import { closeSync, existsSync, openSync } from "node:fs";
import { AccountsRefused } from "../refused.ts";
import { databaseAt, loadDriver, sqliteCode } from "./driver.ts";

/** The process that holds an exclusive lock on the empty database beside the file, until it ends. */
export interface Owner {
  close(): void;
}

const OWNER_FILE_MODE = 0o600;
/** A command owns the file for a moment; a start waits that long for it. */
const WAIT_MS = 1_000;

/** Takes ownership of a state file, or refuses if another process has it. The file's folder must exist. */
export function takeOwnership(file: string): Owner {
  const path = `${file}-owner`;
  // An existing file is not opened: closing it would drop the locks that this process has on it.
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
