import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and its missing parents with this mode, whatever the umask. Node 20's own recursive `mkdir` loops
 * forever on a file system that answers "no such file", as /proc does.
 */
export function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above, mode);
  try {
    mkdirSync(folder, mode);
    chmodSync(folder, mode);
  } catch (error) {
    if (!existsSync(folder)) throw error; // it exists when another process was faster
  }
}
