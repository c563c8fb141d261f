import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { CheckOrder, CheckOutcome, CheckTask } from "./check-task.ts";
import type { ThreadTask } from "./check-thread.ts";

export interface CheckRunnerOptions {
  /** The folder of published snapshots. */
  readonly snapshots: string;
  /** The built file of the process. */
  readonly program?: string;
  readonly timeLimitMs?: number;
  readonly heapLimitMb?: number;
}

export type RunCheck = (task: CheckTask, signal: AbortSignal) => Promise<CheckOutcome>;

const TIME_LIMIT_MS = 60_000;
const HEAP_LIMIT_MB = 512;

/** Tests run this module from its source, threads and processes start from the build. */
function built(name: string): string {
  const folder = import.meta.url.endsWith(".ts") ? "../../dist/server/checks/" : "./";
  return fileURLToPath(new URL(`${folder}${name}.js`, import.meta.url));
}

/**
 * Checks files, each in a process of its own, as many at once as there are processors. A file can exhaust the memory of
 * its process and end it; in a thread, V8 would end the server with it (Node 20). The process is started by a thread,
 * because starting one takes tens of milliseconds.
 */
export function checkRunner(options: CheckRunnerOptions): RunCheck {
  const { snapshots, program = built("check-process") } = options;
  const { timeLimitMs = TIME_LIMIT_MS, heapLimitMb = HEAP_LIMIT_MB } = options;
  let free = availableParallelism();
  const waiting: (() => void)[] = [];
  return async ({ file, options: sent, snapshotId }, signal) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free--;
    try {
      if (signal.aborted) return { kind: "stopped" };
      const dir = join(snapshots, snapshotId);
      const order = JSON.stringify({ options: sent, dir } satisfies CheckOrder);
      return await inThread({ program, order, file, timeLimitMs, heapLimitMb }, signal);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

function inThread(task: ThreadTask, signal: AbortSignal): Promise<CheckOutcome> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(built("check-thread"), {
      workerData: task,
      transferList: task.file.map(({ buffer }) => buffer as ArrayBuffer),
    });
    signal.addEventListener("abort", () => {
      thread.postMessage("stop", []);
      resolve({ kind: "stopped" });
    });
    thread.on("message", resolve);
    thread.on("error", reject);
    thread.on("exit", () => resolve({ kind: "lost" })); // unless it has answered
  });
}
