import { constants, setPriority } from "node:os";
import { packText } from "./packed-text.ts";
import type { WorkerReply } from "./pool.ts";
import { reportOf } from "./report.ts";
import type { BacktestTask } from "./task.ts";

// On Linux a priority is a thread's own: while cores are short, requests are answered before backtests
// are run. Elsewhere it would be the whole process's.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

/** A worker thread's whole job: the arithmetic is in `quant`, the wording in `report.ts`. */
export function answer(task: BacktestTask): WorkerReply {
  try {
    return { ok: true, result: packText(JSON.stringify(reportOf(task))) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
