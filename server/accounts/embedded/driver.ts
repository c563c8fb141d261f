import { createRequire } from "node:module";
import type Libsql from "libsql";
import type LibsqlPromise from "libsql/promise";

const load = createRequire(import.meta.url);

/** The driver of SQLite. */
export function loadDriver(): typeof Libsql {
  return withoutReport(() => load("libsql") as typeof Libsql);
}

/** The same with its work on threads of its own. */
export function loadThreadedDriver(): typeof LibsqlPromise {
  return withoutReport(() => load("libsql/promise") as typeof LibsqlPromise);
}

/**
 * To learn which C library it runs on, the driver asks Node for a diagnostic report of the whole process: 7 to 15 ms in which
 * the main thread waits for all others, of a start and again of a running server. Without an answer it looks at
 * the system's files, which takes a tenth of a millisecond and says the same.
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
