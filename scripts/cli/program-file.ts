import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The file that the program is loaded from: its bundle, which loads in half the time, or its modules. The bundle is
 * used only if it is not older than the last output of the compiler (`.tsbuildinfo`), so that compiling without
 * bundling never runs old code. The times may be equal in a copy that keeps whole seconds only.
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
