import { execFileSync } from "node:child_process";

const DROPPED = ["--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"];

/**
 * Begins a command line that runs without the capabilities of root, like a service. Root still owns its files then, so
 * this works in any folder; as an ordinary user it is empty. `.ci/run` runs the same tests as another user, too.
 */
export function withoutCapabilities(): readonly string[] {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return [];
  execFileSync("setpriv", ["--version"]); // of util-linux, which Debian always has
  return ["setpriv", ...DROPPED];
}
