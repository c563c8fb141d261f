/** Entry point of a thread that starts the processes of checks, one at a time: see `run-check.ts`. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { parentPort } from "node:worker_threads";
import { STOP, type CheckOutcome, type CheckReply, type ThreadTask } from "./check-task.ts";

/** Behind everything else that the machine does. */
const IDLE_PRIORITY = 19;
/** Memory outside of the heap: the file, its columns, and what an archive unpacks to. */
const OTHER_LIMIT_MB = 1024;
/** With a helper thread of V8 a check keeps two processors busy, and reads wait up to three times as long. */
const ONE_THREAD = "--single-threaded";
/** No core dump, which would keep the file; and a limit for all memory, in KiB. */
const LIMITED = 'ulimit -c 0; ulimit -d "$1"; shift; exec "$@"';

// On Linux each thread has a priority of its own, which the process inherits; elsewhere it would be the server's.
if (process.platform === "linux") setPriority(IDLE_PRIORITY);
const port = parentPort!; // this file only ever runs as a worker's entry point
let child: ChildProcess | undefined;
port.on("message", (message: ThreadTask | typeof STOP) => {
  if (message === STOP) child?.kill("SIGKILL");
  else void outcomeOf(message).then((outcome) => port.postMessage(outcome));
});

async function outcomeOf(task: ThreadTask): Promise<CheckOutcome> {
  const { program, order, file, timeLimitMs, heapLimitMb } = task;
  const limitKib = (heapLimitMb + OTHER_LIMIT_MB) * 1024;
  const node = [process.execPath, `--max-old-space-size=${heapLimitMb}`, ONE_THREAD];
  const started = spawn("/bin/sh", ["-c", LIMITED, "sh", String(limitKib), ...node, program], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  child = started;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    started.kill("SIGKILL");
  }, timeLimitMs);
  started.stdin.on("error", () => {}); // it has ended, which is noticed below
  started.stdin.write(`${order}\n`);
  for (const part of file) started.stdin.write(part);
  started.stdin.end();
  const [answer, [, signal]] = await Promise.all([text(started.stdout), once(started, "close")]);
  clearTimeout(timer);
  if (isLate) return { kind: "timed_out", seconds: timeLimitMs / 1000 };
  if (answer !== "") return JSON.parse(answer) as CheckReply;
  return { kind: signal === "SIGABRT" ? "out_of_memory" : "lost" };
}
