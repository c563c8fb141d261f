import type { JobError } from "../job.ts";
import type { WorkerReply } from "./pool.ts";
import { FigureOutOfRange, packedReport } from "./report.ts";
import type { BacktestTask } from "./task.ts";

/** All that a worker thread does: the arithmetic is in `quant`, the wording in `report.ts`. */
export function answer(task: BacktestTask): WorkerReply {
  try {
    return { ok: true, result: packedReport(task) };
  } catch (error) {
    return { ok: false, error: jobErrorOf(error) };
  }
}

function jobErrorOf(error: unknown): JobError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof FigureOutOfRange ? "figure_out_of_range" : "internal_error";
  return { code, message };
}
