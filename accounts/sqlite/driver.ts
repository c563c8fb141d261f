import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type Database from "libsql";
import type LibsqlPromise from "libsql/promise";

const load = createRequire(import.meta.url);

/**
 * The driver's address of a database file, with SQLite's own access to files. The default of libsql, a layer for
 * encryption, ignores failed reads and continues with whatever was in memory.
 */
export function databaseAt(file: string): string {
  return `${pathToFileURL(file).href}?vfs=unix`;
}

/** SQLite's own name for a failure, such as "SQLITE_BUSY"; undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
}

export function loadDriver(): typeof Database {
  return load("libsql") as typeof Database;
}

/** Loads the driver that works on threads of its own. */
export function loadThreadedDriver(): typeof LibsqlPromise {
  return load("libsql/promise") as typeof LibsqlPromise;
}

type Values = Parameters<Database.Statement["get"]>;

/**
 * A connection whose statements are prepared again after a failure. libsql does not reset a failed statement, so that its
 * next call would run with the former values: it would find another account's key, or write nothing and report success.
 */
export function withSteadyStatements(db: Database.Database): Database.Database {
  const prepare = db.prepare.bind(db);
  const steady = (sql: string) => steadyStatement(() => prepare(sql));
  db.prepare = steady as unknown as typeof db.prepare; // it has only the methods that we use
  return db;
}

function steadyStatement(prepare: () => Database.Statement) {
  let isRaw = false;
  let prepared: Database.Statement | undefined = prepare();
  function tried<Result>(use: (statement: Database.Statement) => Result): Result {
    prepared ??= isRaw ? prepare().raw() : prepare();
    try {
      return use(prepared);
    } catch (error) {
      prepared = undefined;
      throw error;
    }
  }
  const steady = {
    raw() {
      isRaw = true;
      prepared?.raw();
      return steady;
    },
    get: (...values: Values) => tried((statement) => statement.get(...values)),
    all: (...values: Values) => tried((statement) => statement.all(...values)),
    run: (...values: Values) => tried((statement) => statement.run(...values)),
  };
  return steady;
}
