import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endChildren } from "./child-processes.ts";

/** The exit code of a program that a signal from the terminal ended. */
const EXIT_INTERRUPTED = 130;
/** How a folder is removed. A process that was killed this instant may still be writing to it. */
export const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

const folders = new Set<string>();

/**
 * A new temporary folder for this program's files. However the program ends, even by Ctrl-C or with its terminal, the
 * processes it `watched` are killed and the folder is removed.
 */
export function ownFolder(name: string): string {
  if (folders.size === 0) tidyUpAtExit();
  const folder = mkdtempSync(join(tmpdir(), `hindsight-${name}-`));
  folders.add(folder);
  return folder;
}

function tidyUpAtExit(): void {
  process.once("exit", () => {
    endChildren();
    for (const each of folders) rmSync(each, REMOVAL);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // Not `once`: a second signal, as of a terminal and of `timeout`, would end the program while it tidies up.
    process.on(signal, () => process.exit(EXIT_INTERRUPTED));
  }
}
