import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { packageVersion } from "../server/package-version.ts";
import { syncPath } from "../snapshots/folder.ts";
import { UsageError } from "./usage-error.ts";
import { reasonOf } from "./check-files.ts";

/** Writes a report aside and renames it when it is on disk, so that no reader finds half a report. */
export function writeReport(path: string, text: string): void {
  const aside = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(aside, text, { flag: "wx", flush: true });
    renameSync(aside, path);
    syncPath(dirname(path));
  } catch (error) {
    rmSync(aside, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "its folder is not there" : reasonOf(error as Error);
    throw new UsageError(`the report can't be written: ${reason}`);
  }
}

/** What the foot of a saved report says. */
export function madeToday() {
  return { version: packageVersion(), date: new Date().toISOString().slice(0, 10) };
}
