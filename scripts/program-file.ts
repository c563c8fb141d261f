import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Where the program is loaded from: the bundle that the build makes of it, which loads in half the time, or else its
 * modules. The bundle counts only where it is younger than what the compiler last wrote (`.tsbuildinfo`), so that
 * nobody who compiles without bundling runs what they had before. (A copy may keep whole seconds only: then both are of one.)
 */
export function programFile(scriptUrl: string): string {
  const bundle = new URL("../bundle/program.js", scriptUrl);
  const compiled = new URL("../.tsbuildinfo", scriptUrl);
  const bundledMs = writtenMs(bundle) ?? -Infinity;
  const isCurrent = bundledMs >= (writtenMs(compiled) ?? 0);
  return (isCurrent ? bundle : new URL("./program.js", scriptUrl)).href;
}

function writtenMs(file: URL): number | undefined {
  return statSync(fileURLToPath(file), { throwIfNoEntry: false })?.mtimeMs;
}
