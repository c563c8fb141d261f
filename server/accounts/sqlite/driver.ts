import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type Libsql from "libsql";
import type LibsqlPromise from "libsql/promise";

const load = createRequire(import.meta.url);

/**
 * A database file as the driver is to be given it: with SQLite's own access to files.
 *
 * By default libsql reaches files through a layer for encryption (SQLite3 Multiple Ciphers), which takes a read that the
 * disk refused for done. The page then has whatever was in memory, and the connection goes on with it: rows that are
 * there are not found, and what is written next rests on it.
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

/** Loads the driver of SQLite. */
export function loadDriver(): typeof Libsql {
  return withoutReport(() => load("libsql") as typeof Libsql);
}

/** Loads the driver that does its work on threads of its own. */
export function loadThreadedDriver(): typeof LibsqlPromise {
  return withoutReport(() => load("libsql/promise") as typeof LibsqlPromise);
}

/**
 * Loads the driver without letting it ask Node for a diagnostic report.
 *
 * The driver asks for one to learn which C library it runs on. The report covers the whole process: the main
 * thread waits for all the others, 7 to 15 ms at the start and again in a running server. When it gets no
 * report, the driver looks at the system's files instead, which takes a tenth of a millisecond and gives the
 * same answer.
 */
function withoutReport<Driver>(load: () => Driver): Driver {
  const report: { getReport: unknown } = process.report;
  const { getReport } = report;
  report.getReport = () => ({});
  try {
    return load();
  } finally {
    report.getReport = getReport;
  }
}
