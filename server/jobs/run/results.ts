import type { BacktestRequest, JobKind, StudyRequest } from "../job.ts";
import type { JobTask } from "./pool.ts";
import { reportOf, studyResult } from "./report.ts";

/** What makes the result of each kind of job. A request is of its job's kind. */
export const RESULT_OF: Readonly<Record<JobKind, (task: JobTask) => object>> = {
  backtest: (task) => reportOf({ ...task, request: task.request as BacktestRequest }),
  study: (task) => studyResult({ ...task, request: task.request as StudyRequest }),
};
