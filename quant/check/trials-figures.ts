import {
  correlationMatrix,
  gramMatrix,
  meanCorrelation,
  standardise,
} from "../overfitting/correlation-matrix.ts";
import { effectiveRank, impliedTrials } from "../overfitting/effective-trials.ts";
import { adjustedDsr } from "./claims.ts";
import { byContent } from "./distinct-columns.ts";
import type { TrialsFigures } from "./report.ts";
import type { SharpeInference } from "./sharpe-inference.ts";

/** Up to so many variants, the matrix of all pairs is made, however few the bars. */
const MATRIX_MAX = 150;

/**
 * How many trials there were, counted in three ways, and the adjusted DSR at each. The smaller counts are for the
 * reader: the verdict takes them all.
 */
export function trialsFigures(of: {
  readonly columns: readonly Float64Array[];
  readonly count: number;
  /** Variance per bar of the trials' Sharpe ratios. */
  readonly variance: number;
  readonly periodsPerYear: number;
  readonly inference: SharpeInference;
}): TrialsFigures {
  const { columns, count, variance, periodsPerYear, inference } = of;
  const measured = columns.length > 1 ? countsOf(byContent(columns)) : ONE_TRIAL;
  const dsr = (trials: number) => adjustedDsr(inference, trials);
  return {
    n: count,
    implied: measured.implied,
    effectiveRank: measured.rank,
    sharpeStd: Math.sqrt(variance * periodsPerYear),
    dsr: {
      n: dsr(count),
      implied: dsr(measured.implied),
      effectiveRank: dsr(measured.rank),
    },
  };
}

const ONE_TRIAL = { implied: NaN, rank: NaN };

function countsOf(columns: readonly Float64Array[]) {
  if (columns.length > Math.max(MATRIX_MAX, columns[0]!.length)) return countsOfMany(columns);
  const matrix = correlationMatrix(columns);
  return {
    implied: impliedTrials(columns.length, meanCorrelation(matrix)),
    rank: effectiveRank(matrix),
  };
}

/**
 * The same where variants outnumber bars, without a matrix of all pairs. Z, the standardised columns, has Z'Z for its
 * correlations; ZZ' has the same eigenvalues but for those that are 0, and 1'Z'Z1 is the sum of all correlations.
 */
function countsOfMany(columns: readonly Float64Array[]) {
  const count = columns.length;
  const units = columns.map(standardise);
  const rows = Array.from(units[0]!, (_, row) => Float64Array.from(units, (unit) => unit[row]!));
  let sum = 0;
  for (const row of rows) sum += row.reduce((total, value) => total + value, 0) ** 2;
  const mean = Math.min(1, (sum - count) / (count * (count - 1)));
  return {
    implied: impliedTrials(count, mean),
    rank: effectiveRank(gramMatrix(rows)),
  };
}
