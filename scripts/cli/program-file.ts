import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Where the program is loaded from: its bundle, which loads in half the time, or its modules. The bundle
 * counts only if it is younger than what the compiler last wrote (`.tsbuildinfo`), so that
 * compiling without bundling never runs old code. (A copy may keep whole seconds only; the two times may then be
 * equal.)
 */
export function programFile(scriptUrl: string): string {
  const bundle = new URL("../bundle/program.js", scriptUrl);
  const compiled = new URL("../.tsbuildinfo", scriptUrl);
  const bundledMs = writtenMs(bundle) ?? -Infinity;
  const isCurrent = bundledMs >= (writtenMs(compiled) ?? 0);
  return (isCurrent ? bundle : new URL("./cli/program.js", scriptUrl)).href;
}

function writtenMs(file: URL): number | undefined {
  return statSync(fileURLToPath(file), { throwIfNoEntry: false })?.mtimeMs;
}
