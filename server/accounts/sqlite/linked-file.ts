import { readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** As many as Linux follows. */
const LINKS_MAX = 40;

/**
 * The file that a path names, behind symbolic links; it need not exist yet. SQLite keeps its log beside that file and
 * not beside the link, so what else belongs to a state file has its place there, too. Processes that come by different
 * names then count in the same files.
 */
export function fileBehindLinks(path: string): string {
  let file = path;
  for (let links = 0; links < LINKS_MAX; links++) {
    try {
      const target = readlinkSync(file);
      file = resolve(realpathSync(dirname(file)), target);
    } catch {
      return file; // no link, or a broken one: opening it fails with the reason
    }
  }
  return path;
}
