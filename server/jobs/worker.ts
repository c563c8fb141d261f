import { gzipSync } from "node:zlib";
import { FigureOutOfRange } from "../../api/figure-out-of-range.ts";
import type {
  BacktestRequest,
  JobKind,
  JobOutcome,
  StudyRequest,
} from "../../accounts/jobs/job.ts";
import type { JobTask } from "./pool.ts";
import { reportOf, studyResult } from "./report.ts";

/** The result is 2 % longer than at the default level, in 60 % of the time. */
const LEVEL = 4;

/** A task's request is of the task's kind. */
const RESULT_OF: Readonly<Record<JobKind, (task: JobTask) => object>> = {
  backtest: (task) => reportOf({ ...task, request: task.request as BacktestRequest }),
  study: (task) => studyResult({ ...task, request: task.request as StudyRequest }),
};

/** The outcome of a task, as a worker thread computes it. */
export function answer(task: JobTask): JobOutcome {
  try {
    const result = JSON.stringify(RESULT_OF[task.kind](task));
    return { ok: true, result: gzipSync(result, { level: LEVEL }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof FigureOutOfRange ? "figure_out_of_range" : "internal_error";
    return { ok: false, error: { code, message } };
  }
}
