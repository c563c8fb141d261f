import { StudyResult } from "../../../api/study.ts";
import { rowOfDay } from "../../../quant/bars.ts";
import { ENGINE_VERSION } from "../../../quant/engine/version.ts";
import { findTemplate } from "../../../quant/strategies/catalogue.ts";
import { parameterGrid } from "../../../quant/studies/parameter-grid.ts";
import { runStudy, type StudyJob } from "../../../quant/studies/run-study.ts";
import { foldsOf } from "../../../quant/studies/walk-forward.ts";
import type { StudyRequest } from "../job.ts";
import type { JobTask } from "./pool.ts";

type StudyTask = Pick<JobTask, "bars" | "known" | "snapshotId"> & {
  readonly request: StudyRequest;
};

/** The whole result of a study, as `StudyResult` documents it. The same task gives the same result. */
export function studyResult(
  { bars, request, known, snapshotId }: StudyTask,
  more: Pick<StudyJob, "peers" | "onProgress"> = {},
) {
  const { coin, feeRate, slippageRate, folds, nTrials } = request;
  const template = findTemplate(request.strategy);
  if (template === undefined) throw new Error("a study was accepted that cannot be run");
  const grid = parameterGrid(template, request.parameters);
  const window = {
    from: rowOfDay(bars, request.startDay),
    to: rowOfDay(bars, request.endDay) + 1,
  };
  const costs = { feeRate, slippageRate };
  const study = runStudy({
    bars,
    coin,
    window,
    costs,
    grid,
    folds: folds === undefined ? [] : foldsOf(folds, window.to - window.from),
    nTrials,
    known: known ?? grid.sets.length,
    ...more,
  });
  const source = { engineVersion: ENGINE_VERSION, snapshotId };
  return StudyResult.of({ coin, grid, ...costs, ...source, study });
}
