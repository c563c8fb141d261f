import type { Window } from "../engine/simulate.ts";
import { dailyDeviation } from "../engine/statistics.ts";
import { gramMatrix, meanCorrelation, standardise } from "../overfitting/correlation-matrix.ts";
import { effectiveRank, impliedTrials } from "../overfitting/effective-trials.ts";
import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import type { TrialsRecord } from "./record.ts";

const WEEK_DAYS = 7;

/**
 * How many independent trials the runs of each template, and all runs of the coin, amount to, judged by the
 * correlation of their returns on the in-sample days. Flat runs count for none; `moves` says which are not flat. Returns are daily, except that the effective rank of a whole coin uses weekly ones: the eigenvalues
 * of 286 daily columns would take longer than running them.
 */
export function trialsOf(
  returns: readonly Float64Array[],
  { from, to }: Window,
  moves: readonly boolean[],
): { cells: TrialsRecord[]; coin: TrialsRecord } {
  const columns = returns.map((column) => column.subarray(from, to));
  const standardised = columns.map((column, run) => (moves[run] ? standardise(column) : undefined));
  const among = (first: number, last: number) =>
    standardised.slice(first, last).filter((column) => column !== undefined);
  const moving = columns.filter((_, run) => moves[run]);
  return {
    cells: STUDIED.map((_, set) =>
      cellTrials(among(set * VARIANTS_PER_TEMPLATE, (set + 1) * VARIANTS_PER_TEMPLATE)),
    ),
    coin: recordOf(
      moving.length,
      meanCorrelationOf(among(0, returns.length)),
      weeklyEffectiveRank(moving),
    ),
  };
}

function cellTrials(standardised: readonly Float64Array[]): TrialsRecord {
  if (standardised.length === 0) return recordOf(0, NaN, NaN);
  const matrix = gramMatrix(standardised);
  return recordOf(matrix.size, meanCorrelation(matrix), effectiveRank(matrix));
}

function recordOf(trials: number, rho: number, rank: number): TrialsRecord {
  const implied = trials === 0 ? NaN : impliedTrials(trials, rho);
  return { trials, meanCorrelation: rho, impliedTrials: implied, effectiveRank: rank };
}

/**
 * Mean of the correlations of all pairs, without computing the pairs: the sum of the N standardised columns
 * has squared length N + N (N - 1) rho. At most 1 (rounding); NaN for fewer than two columns.
 */
function meanCorrelationOf(standardised: readonly Float64Array[]): number {
  const count = standardised.length;
  if (count < 2) return NaN; // rounding would leave a fraction of 0 / 0
  const sum = new Float64Array(standardised[0]!.length); // all are equally long
  for (const column of standardised) {
    for (let day = 0; day < sum.length; day++) sum[day]! += column[day]!;
  }
  let square = 0;
  for (let day = 0; day < sum.length; day++) square += sum[day]! * sum[day]!;
  return Math.min(1, (square - count) / (count * (count - 1)));
}

/**
 * Effective rank of the correlations of weekly returns. A matrix and its transpose give the same
 * eigenvalues except for zeros, which do not count, so the smaller product is used.
 */
function weeklyEffectiveRank(columns: readonly Float64Array[]): number {
  // A run may move on the days before the first whole week alone: its weeks are flat but for rounding.
  const weeks = columns.map(weeklySums).filter((week) => dailyDeviation(week, 0, week.length) > 0);
  const standardised = weeks.map(standardise);
  const [count, length] = [standardised.length, standardised[0]?.length ?? 0];
  if (count === 0) return NaN;
  if (count <= length) return effectiveRank(gramMatrix(standardised));
  return effectiveRank(gramMatrix(transposed(standardised, length)));
}

function transposed(columns: readonly Float64Array[], length: number): Float64Array[] {
  const rows = Array.from({ length }, () => new Float64Array(columns.length));
  for (const [index, column] of columns.entries()) {
    for (let row = 0; row < length; row++) rows[row]![index] = column[row]!;
  }
  return rows;
}

/** Sums of the daily returns of the newest whole weeks. */
function weeklySums(column: Float64Array): Float64Array {
  const weeks = Math.floor(column.length / WEEK_DAYS);
  const first = column.length - weeks * WEEK_DAYS;
  const sums = new Float64Array(weeks);
  for (let week = 0; week < weeks; week++) {
    let sum = 0;
    for (let day = 0; day < WEEK_DAYS; day++) sum += column[first + week * WEEK_DAYS + day]!;
    sums[week] = sum;
  }
  return sums;
}
