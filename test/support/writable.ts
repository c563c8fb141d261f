import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Makes what a run published writable, for tests that damage it. Returns the path. */
export function writable(path: string): string {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) writable(join(path, name));
  } else chmodSync(path, 0o644);
  return path;
}
