import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Makes published files writable, for tests that damage them. Returns the path. */
export function writable(path: string): string {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) writable(join(path, name));
  } else chmodSync(path, 0o644);
  return path;
}
