import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { FairQueue } from "../fair-queue.ts";
import { builtFile } from "../package-folder.ts";
import { STOP, type CheckOrder, type CheckOutcome, type CheckTask } from "./check-task.ts";
import type { ProcessLimits, ProcessTask } from "../../aside/limited-process.ts";

export interface CheckRunnerOptions {
  readonly snapshots: string;
  readonly program?: string;
  readonly limits?: Partial<ProcessLimits>;
}

export type RunCheck = (task: CheckTask, signal: AbortSignal) => Promise<CheckOutcome>;

const LIMITS: ProcessLimits = { readSeconds: 10, seconds: 60, heapMb: 512, otherMb: 1024 };

/**
 * A function that checks files, each in a process of its own, on all processors but the one that answers requests.
 * Accounts take turns. A file can exhaust the memory of its process; in a thread, V8 would end the whole server (Node 20).
 * Starting a process blocks its starter for tens of milliseconds, so threads that stay alive do it.
 */
export function checkRunner(options: CheckRunnerOptions): RunCheck {
  const { snapshots, program = builtFile("check-process") } = options;
  const limits = { ...LIMITS, ...options.limits };
  const atOnce = Math.max(1, availableParallelism() - 1);
  const queue = new FairQueue(() => performance.now(), atOnce);
  const threads: Worker[] = [];
  return ({ accountId, file, options: sent, form, snapshotId }, signal) =>
    queue.addAside<CheckOutcome>(accountId, async () => {
      if (signal.aborted) return { kind: "stopped" };
      const dir = join(snapshots, snapshotId);
      const order = JSON.stringify({ options: sent, form, dir } satisfies CheckOrder);
      const thread = threads.pop() ?? new Worker(builtFile("check-thread"));
      const outcome = await ran(thread, { program: [program], order, file, limits }, signal);
      threads.push(thread);
      return outcome;
    });
}

/** The thread is not used again if this throws. */
async function ran(thread: Worker, task: ProcessTask, signal: AbortSignal): Promise<CheckOutcome> {
  const stop = () => thread.postMessage(STOP, []);
  signal.addEventListener("abort", stop);
  thread.ref();
  thread.postMessage(
    task,
    task.file.map(({ buffer }) => buffer as ArrayBuffer),
  );
  try {
    const [outcome] = (await once(thread, "message")) as [CheckOutcome];
    return signal.aborted ? { kind: "stopped" } : outcome;
  } finally {
    signal.removeEventListener("abort", stop);
    thread.unref();
  }
}
