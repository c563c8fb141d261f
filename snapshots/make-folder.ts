import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

const ANYONE = 0o777; // less what the process's umask takes away

/**
 * Makes a folder and those above it that are missing. Node 20's own recursive `mkdir` tries for ever where a file
 * system answers "no such file" to the making of a folder, as /proc does.
 */
export function makeFolder(folder: string, mode: number = ANYONE): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (!existsSync(folder)) throw error; // where another process was faster, it is there
  }
}
