import { setPriority } from "node:os";
import { packText } from "./packed-text.ts";
import type { WorkerReply } from "./pool.ts";
import { reportOf } from "./report.ts";
import type { BacktestTask } from "./task.ts";

/**
 * Between below-normal (10) and the lowest (19): requests are answered before backtests are run, and on a machine that is
 * busy with other things a job still ends well within its limit.
 */
const PRIORITY = 15;

// On Linux a priority is a thread's own. Elsewhere it would be the whole process's.
if (process.platform === "linux") setPriority(PRIORITY);

/** A worker thread's whole job: the arithmetic is in `quant`, the wording in `report.ts`. */
export function answer(task: BacktestTask): WorkerReply {
  try {
    return { ok: true, result: packText(JSON.stringify(reportOf(task))) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
