import { mean, median } from "../sample-statistics.ts";
import { lagSum } from "./long-run-variance.ts";

/** Margin over the automatic length. */
const MARGIN = 1.5;
const LENGTH_MIN = 3;
const ROUNDING = 1e-9;
/** Longer blocks than this share of the bars would be too few to redraw. */
const SHARE_MAX = 0.1;

/**
 * Optimal mean block length of the stationary bootstrap for one series: Politis and White, "Automatic
 * Block-Length Selection for the Dependent Bootstrap", Econometric Reviews 23, 2004, with the correction of
 * Patton, Politis and White, ibid. 28, 2009. The constants (the run of insignificant autocorrelations, the
 * largest lag, the cap) are those of the Python package `arch` 8.
 */
export function stationaryBlockLength(x: Float64Array): number {
  const { length } = x;
  const centre = mean(x);
  const deviations = x.map((value) => value - centre);
  const run = Math.max(5, Math.floor(Math.log10(length)));
  const lagMax = Math.ceil(Math.sqrt(length)) + run;
  const covariances = Float64Array.from({ length: lagMax + 1 }, (_, lag) =>
    lagSum(deviations, lag),
  );
  const significant = 2 * Math.sqrt(Math.log10(length) / length);
  const norms = tailNorms(deviations, lagMax);
  const correlations = covariances.map((sum, lag) => Math.abs(sum) / norms[lag]!);
  const settled = firstRunBelow(correlations, run, significant);
  const lags = Math.min(settled < 0 ? lagMax : 2 * Math.max(settled, 1), lagMax);
  let spread = 0;
  let total = covariances[0]! / length;
  for (let lag = 1; lag <= lags; lag++) {
    const weight = lag / lags <= 0.5 ? 1 : 2 * (1 - lag / lags);
    spread += (2 * weight * lag * covariances[lag]!) / length;
    total += (2 * weight * covariances[lag]!) / length;
  }
  const cap = Math.ceil(Math.min(3 * Math.sqrt(length), length / 3));
  return Math.min(Math.cbrt((spread / total) ** 2 * length), cap);
}

/** For each lag, root of the product of the two ends' sums of squares; `arch` leaves out one row more than the lag. */
function tailNorms(deviations: Float64Array, lagMax: number): Float64Array {
  let later = lagSum(deviations, 0);
  let earlier = later;
  return Float64Array.from({ length: lagMax + 1 }, (_, lag) => {
    later -= (deviations[lag] ?? 0) ** 2;
    earlier -= (deviations.at(-1 - lag) ?? 0) ** 2;
    return Math.sqrt(Math.max(0, later * earlier));
  });
}

/** The place where the first run of values below the limit begins, or -1. It must end before the last value. */
function firstRunBelow(values: Float64Array, run: number, limit: number): number {
  for (let end = run; end < values.length; end++) {
    if (values.subarray(end - run, end).every((value) => value < limit)) return end - run;
  }
  return -1;
}

/**
 * The block length that the dependence of a series needs, not rounded: its automatic length with a margin for the bias of
 * the sign flips and of the block variance, which both see less than the whole dependence. Kunsch, "The Jackknife and
 * the Bootstrap for General Stationary Observations", Annals of Statistics 17, 1989, section 3: the share that blocks of
 * length L miss is of the order 1/L.
 */
export function neededBlock(column: Float64Array): number {
  return MARGIN * stationaryBlockLength(column);
}

/** Whole bars in blocks of at least that length; NaN above a tenth of all bars. */
export function blockLengthFor(need: number, bars: number): number {
  const length = Math.ceil(need - ROUNDING);
  return length <= SHARE_MAX * bars ? length : NaN;
}

export type FamilyBlocks = ReturnType<typeof familyBlocks>;

/**
 * Blocks for the family tests, as long as the dependence of the variant at `place` needs: `ceil(max(3, 1.5 x the median
 * automatic length of all columns, 1.5 x its own))`. With the median alone, a minority whose returns overlap would be
 * judged in blocks that are too short for it, and luck carries such variants furthest.
 */
export function familyBlocks(columns: readonly Float64Array[], index: number) {
  const needs = columns.map(neededBlock);
  const usual = Math.max(LENGTH_MIN, median(needs));
  const own = needs[index]!;
  const length = blockLengthFor(Math.max(usual, own), columns[0]?.length ?? 0);
  return {
    length,
    /** Whether the variant that is judged made the blocks longer than the median need. */
    setBy: own > usual ? ("selected" as const) : ("median" as const),
    /** Whether these blocks are long enough for a variant; the others cannot be judged with them. */
    suffices: needs.map((need) => need <= length + ROUNDING),
  };
}
