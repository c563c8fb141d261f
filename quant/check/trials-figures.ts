import {
  correlationMatrix,
  gramMatrix,
  meanCorrelation,
  standardise,
} from "../overfitting/correlation-matrix.ts";
import { effectiveRank, impliedTrials } from "../overfitting/effective-trials.ts";
import { mean, variance } from "../sample-statistics.ts";
import { adjustedClaims } from "./claims.ts";
import { byContent } from "./distinct-columns.ts";
import { sharpeOf } from "./selected-variant.ts";
import type { SharpeInference } from "./sharpe-inference.ts";

/** Up to this many variants the matrix of all pairs is made, however few the bars. */
const MATRIX_MAX = 150;

export interface TrialsFigures {
  readonly n: number;
  readonly implied: number;
  readonly effectiveRank: number;
  /** Standard deviation of the trials' annual Sharpe ratios. */
  readonly sharpeStd: number;
  /** What to expect of the judged variant, a year; NaN for one variant. */
  readonly expectedSharpe: number;
  /** The adjusted DSR at each number of trials; null for a table of statistics. */
  readonly dsr: Readonly<Record<"n" | "implied" | "effectiveRank", number>> | null;
}

/**
 * The number of trials, counted in three ways, and the adjusted DSR at each. The smaller counts are for the
 * reader: the verdict takes all trials. `variance` is that of the trials' Sharpe ratios per bar.
 */
export function trialsFigures(input: {
  readonly columns: readonly Float64Array[];
  readonly count: number;
  readonly variance: number;
  readonly periodsPerYear: number;
  readonly inference: SharpeInference;
}): TrialsFigures {
  const { columns, count, periodsPerYear, inference } = input;
  const dsr = (trials: number) =>
    trials >= 1 ? adjustedClaims(inference, { count: trials, variance: NaN }).dsr : NaN;
  const { implied, rank, rho } =
    columns.length > 1 ? countsOf(byContent(columns)) : { implied: NaN, rank: NaN, rho: NaN };
  return {
    n: count,
    implied,
    effectiveRank: rank,
    sharpeStd: Math.sqrt(input.variance * periodsPerYear),
    expectedSharpe: expectedSharpe({
      sharpe: inference.sharpe * Math.sqrt(periodsPerYear),
      all: byContent(columns).map((column) => sharpeOf(column) * Math.sqrt(periodsPerYear)),
      error: inference.standardError * Math.sqrt(periodsPerYear),
      rho,
    }),
    dsr: { n: dsr(count), implied: dsr(implied), effectiveRank: dsr(rank) },
  };
}

/**
 * The Sharpe ratio to expect of one of N variants: its own, drawn to the mean of all as far as their spread is luck, and
 * that mean drawn to 0 by a normal prior with a deviation of 1 a year. James and Stein, "Estimation with quadratic loss",
 * 1961; Efron and Morris, "Stein's estimation rule and its competitors", J. of the American Statistical Association 68,
 * 1973; for variants with the mean correlation rho. All a year.
 */
export function expectedSharpe(input: {
  readonly sharpe: number;
  readonly all: readonly number[];
  readonly error: number;
  readonly rho: number;
}): number {
  const { sharpe, all, error, rho } = input;
  const square = error * error;
  const centre = mean(all) / (1 + square * (rho + (1 - rho) / all.length));
  const weight = Math.max(0, 1 - (square * (1 - rho)) / variance(all));
  return all.length > 1 ? centre + (weight > 0 ? weight * (sharpe - centre) : 0) : NaN;
}

/** The trials implied by the mean correlation, and the effective rank of the correlations. */
function countsOf(columns: readonly Float64Array[]) {
  if (columns.length > Math.max(MATRIX_MAX, columns[0]!.length)) return countsOfMany(columns);
  const matrix = correlationMatrix(columns);
  const rho = meanCorrelation(matrix);
  return { implied: impliedTrials(columns.length, rho), rank: effectiveRank(matrix), rho };
}

/**
 * The same where variants outnumber bars, without a matrix of all pairs. With Z the standardised columns, Z'Z holds
 * their correlations; ZZ' has the same eigenvalues but for those that are 0, and 1'Z'Z1 is the sum of all
 * correlations.
 */
function countsOfMany(columns: readonly Float64Array[]) {
  const count = columns.length;
  const units = columns.map(standardise);
  const rows = Array.from(units[0]!, (_, row) => Float64Array.from(units, (unit) => unit[row]!));
  let sum = 0;
  for (const row of rows) sum += row.reduce((total, value) => total + value, 0) ** 2;
  const rho = Math.min(1, (sum - count) / (count * (count - 1)));
  return { implied: impliedTrials(count, rho), rank: effectiveRank(gramMatrix(rows)), rho };
}
