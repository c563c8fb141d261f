import { expect, test } from "vitest";
import { trialsFigures } from "../../../quant/check/trials-figures.ts";
import { inferSharpe } from "../../../quant/check/sharpe-inference.ts";
import {
  correlationMatrix,
  meanCorrelation,
} from "../../../quant/overfitting/correlation-matrix.ts";
import { effectiveRank, impliedTrials } from "../../../quant/overfitting/effective-trials.ts";
import { normalColumns } from "./panels.ts";

test("where variants outnumber bars, the counts are those of the matrix of all pairs", () => {
  const columns = normalColumns(
    8,
    40,
    Array.from({ length: 90 }, () => 0),
  );
  const inference = inferSharpe(columns[0]!, 0);
  const found = trialsFigures({
    columns,
    count: 90,
    variance: 0.01,
    periodsPerYear: 365,
    inference,
  });
  const matrix = correlationMatrix(columns);
  expect(found.effective_rank).toBeCloseTo(effectiveRank(matrix), 9);
  expect(found.implied).toBeCloseTo(impliedTrials(90, meanCorrelation(matrix)), 9);
});
