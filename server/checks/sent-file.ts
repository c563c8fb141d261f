import { readFileSync, writeFileSync } from "node:fs";
import { serialize } from "node:v8";

const OOM_SCORE_FILE = "/proc/self/oom_score_adj";
const OOM_SCORE_MAX = "1000";
const LINE_END = 10;
const STARTER = process.ppid;
const STDIN = 0;
const STDOUT = 1;

/** What `limited-process.ts` sends to a process, which calls this first: an order in one line, and the file. */
export function sentFile(): { readonly order: unknown; readonly file: Uint8Array } {
  dieFirst();
  // hyparquet reads the columns of damaged files side by side and awaits only some of them.
  process.on("unhandledRejection", () => {});
  const sent = readFileSync(STDIN); // streams would take 10 ms to load
  const end = sent.indexOf(LINE_END);
  return {
    order: JSON.parse(sent.toString("utf8", 0, end)) as unknown,
    file: sent.subarray(end + 1),
  };
}

/** Where memory runs out, this process is the one to end; if the system lets it say so. */
function dieFirst(): void {
  try {
    writeFileSync(OOM_SCORE_FILE, OOM_SCORE_MAX);
  } catch {
    // not Linux, or a container that keeps it from it
  }
}

/** From here on the limit of CPU time for reading no longer ends the process: its signal does nothing. */
export function isRead(): void {
  process.on("SIGXCPU", () => {});
}

/** Ends this process once the one that started it is gone: nobody waits for the answer. */
export function endIfAlone(): void {
  if (process.ppid !== STARTER) process.exit();
}

export function answer(value: object): void {
  writeFileSync(STDOUT, serialize(value));
}
