/** Entry point of the thread that starts the process of a check and waits for it: see `run-check.ts`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { parentPort, workerData } from "node:worker_threads";
import type { CheckOutcome, CheckReply } from "./check-task.ts";

/** What the thread is given. */
export interface ThreadTask {
  /** The built file of the process. */
  readonly program: string;
  readonly order: string;
  readonly file: readonly Uint8Array[];
  readonly timeLimitMs: number;
  readonly heapLimitMb: number;
}

/** Behind everything else that the machine does. */
const IDLE_PRIORITY = 19;
/** Memory outside of the heap: the file, its columns, and what an archive unpacks to. */
const OTHER_LIMIT_MB = 1024;
/** No core dump, which would keep the file; and a limit for all memory, in KiB. */
const LIMITED = 'ulimit -c 0; ulimit -d "$1"; shift; exec "$@"';

const port = parentPort!; // this file only ever runs as a worker's entry point
const { program, order, file, timeLimitMs, heapLimitMb } = workerData as ThreadTask;

// On Linux each thread has a priority of its own, which the process inherits; elsewhere it would be the server's.
if (process.platform === "linux") setPriority(IDLE_PRIORITY);
port.postMessage(await outcome());
port.close();

async function outcome(): Promise<CheckOutcome> {
  const limitKib = (heapLimitMb + OTHER_LIMIT_MB) * 1024;
  const node = [process.execPath, `--max-old-space-size=${heapLimitMb}`, "--v8-pool-size=1"];
  const child = spawn("/bin/sh", ["-c", LIMITED, "sh", String(limitKib), ...node, program], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, timeLimitMs);
  port.on("message", () => child.kill("SIGKILL")); // nobody waits for it any more
  child.stdin.on("error", () => {}); // it has ended, which is noticed below
  child.stdin.write(`${order}\n`);
  for (const part of file) child.stdin.write(part);
  child.stdin.end();
  const [answer, [, signal]] = await Promise.all([text(child.stdout), once(child, "close")]);
  clearTimeout(timer);
  if (isLate) return { kind: "timed_out", seconds: timeLimitMs / 1000 };
  if (answer !== "") return JSON.parse(answer) as CheckReply;
  return { kind: signal === "SIGABRT" ? "out_of_memory" : "lost" };
}
