import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endChildren } from "./child-processes.ts";

/** What a signal from the terminal makes of an exit code. */
const EXIT_INTERRUPTED = 130;
/** A process that was killed this instant may still be writing. */
const REMOVE_TRIES = 5;

const folders = new Set<string>();

/**
 * A new temporary folder for this program's files. However the program ends, by Ctrl-C or with its terminal
 * too, the processes it `watched` are killed and the folder is removed.
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
    for (const each of folders) {
      rmSync(each, { recursive: true, force: true, maxRetries: REMOVE_TRIES });
    }
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // Not `once`: a second signal, as of a terminal and of `timeout`, would end the program while it tidies up.
    process.on(signal, () => process.exit(EXIT_INTERRUPTED));
  }
}
