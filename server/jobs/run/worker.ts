import { workerData } from "node:worker_threads";
import { createBreather } from "./breather.ts";
import type { JobError } from "../job.ts";
import type { WorkerReply } from "./pool.ts";
import { FigureOutOfRange, packedReport } from "./report.ts";
import type { BacktestTask } from "./task.ts";
import { lowerPriority, runOnIdleProcessors } from "./thread-policy.ts";

/** What a thread is started with. */
export interface WorkerStart {
  /** Whether it gives way to everything else on the machine, or merely has a low priority. */
  readonly givesWay: boolean;
}

lowerPriority();
if ((workerData as WorkerStart).givesWay) runOnIdleProcessors();

const breathe = createBreather(() => performance.now());

/** All that a worker thread does: the arithmetic is in `quant`, the wording in `report.ts`. */
export function answer(task: BacktestTask): WorkerReply {
  try {
    return { ok: true, result: packedReport(task, breathe) };
  } catch (error) {
    return { ok: false, error: jobErrorOf(error) };
  }
}

function jobErrorOf(error: unknown): JobError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof FigureOutOfRange ? "figure_out_of_range" : "internal_error";
  return { code, message };
}
