import { StudyResult } from "../../../api/study.ts";
import { ENGINE_VERSION } from "../../../quant/engine/version.ts";
import { runAskedStudy } from "../../../quant/studies/asked-study.ts";
import type { StudyRequest } from "../job.ts";
import type { JobTask } from "./pool.ts";

/** The whole result of a study, as `StudyResult` documents it. The same task gives the same result. */
export function studyResult({
  bars,
  request,
  known,
  snapshotId,
}: Omit<JobTask, "kind" | "request"> & { readonly request: StudyRequest }) {
  const study = runAskedStudy(request, bars, { known: known ?? undefined });
  return StudyResult.of({ ...study, engineVersion: ENGINE_VERSION, snapshotId });
}
