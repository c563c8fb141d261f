import { mean, median } from "../sample-statistics.ts";

/** Margin over the automatic length, and the exponent of its least growth with the number of bars. */
const MARGIN = 1.5;
/** Blocks longer than this share of the bars leave too few of them to redraw. */
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
  const covariances = covariancesOf(deviations, lagMax);
  const significant = 2 * Math.sqrt(Math.log10(length) / length);
  const correlations = covariances.map((sum, lag) => Math.abs(sum) / tailNorm(deviations, lag));
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

function covariancesOf(deviations: Float64Array, lagMax: number): Float64Array {
  const sums = new Float64Array(lagMax + 1);
  for (let lag = 0; lag <= lagMax; lag++) {
    let sum = 0;
    for (let row = lag; row < deviations.length; row++) {
      sum += deviations[row]! * deviations[row - lag]!;
    }
    sums[lag] = sum;
  }
  return sums;
}

/** Root of the product of the two ends' sums of squares; `arch` leaves out one row more than the lag. */
function tailNorm(deviations: Float64Array, lag: number): number {
  let later = 0;
  let earlier = 0;
  for (let row = lag + 1; row < deviations.length; row++) {
    later += deviations[row]! ** 2;
    earlier += deviations[row - lag - 1]! ** 2;
  }
  return Math.sqrt(later * earlier);
}

/** Where the first run of that many values below the limit begins, or -1. It must end before the last value. */
function firstRunBelow(values: Float64Array, run: number, limit: number): number {
  for (let end = run; end < values.length; end++) {
    if (values.subarray(end - run, end).every((value) => value < limit)) return end - run;
  }
  return -1;
}

/**
 * Block length of the family tests: `ceil(max(T^(1/3), 1.5 x the median automatic length of all columns))`, or
 * NaN where it exceeds a tenth of the bars.
 */
export function familyBlockLength(columns: readonly Float64Array[]): number {
  const bars = columns[0]?.length ?? 0;
  const automatic = median(columns.map(stationaryBlockLength));
  const length = Math.ceil(Math.max(Math.cbrt(bars), MARGIN * automatic) - 1e-9);
  return length <= SHARE_MAX * bars ? length : NaN;
}
