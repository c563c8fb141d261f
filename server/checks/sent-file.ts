import { readFileSync, writeFileSync } from "node:fs";
import { serialize } from "node:v8";

const OOM_SCORE_FILE = "/proc/self/oom_score_adj";
const OOM_SCORE_MAX = "1000";
const LINE_END = 10;
const STARTER = process.ppid;
const STDIN = 0;
const STDOUT = 1;

/** Reads what `limited-process.ts` sent to this process: an order in one line, then the file. Call it first. */
export function sentFile(): { readonly order: unknown; readonly file: Buffer } {
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

/** Makes this process the first to be ended where memory runs out, if the system allows it. */
function dieFirst(): void {
  try {
    writeFileSync(OOM_SCORE_FILE, OOM_SCORE_MAX);
  } catch {
    // Not Linux, or a container that does not allow it.
  }
}

/** Call once the file is read: from here on, the signal of the CPU limit for reading is ignored. */
export function isRead(): void {
  process.on("SIGXCPU", () => {});
}

/** Ends this process if the one that started it is gone, since no one waits for the answer. */
export function endIfAlone(): void {
  if (process.ppid !== STARTER) process.exit();
}

export function answer(value: object): void {
  writeFileSync(STDOUT, serialize(value));
}
