import { gzipSync } from "node:zlib";
import type { WorkerReply } from "./pool.ts";
import { reportOf } from "./report.ts";
import type { BacktestTask } from "./task.ts";

/** A worker thread's whole job: the arithmetic is in `quant`, the wording in `report.ts`. */
export function answer(task: BacktestTask): WorkerReply {
  try {
    const result = gzipSync(JSON.stringify(reportOf(task)));
    return { ok: true, result };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
