import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type Libsql from "libsql";
import type LibsqlPromise from "libsql/promise";

const load = createRequire(import.meta.url);

/**
 * A database file for the driver, with SQLite's own access to files. libsql's default, a layer for encryption, ignores
 * failed reads and goes on with whatever was in memory.
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
 * Loads the driver without a diagnostic report, from which it learns the C library: making one stops all threads for 7
 * to 15 ms. Without it, the driver looks at the system's files.
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
