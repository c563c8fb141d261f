import { annualGrowth } from "../annual-growth.ts";
import { DAYS_PER_YEAR } from "../calendar.ts";

/**
 * Statistics of daily returns, as functions of (returns, from, to), with rows `from` inclusive to `to`
 * exclusive. In-sample, out-of-sample and every window of the index are slices of one column, so nothing is
 * copied. NaN means "no value": too few days, or a ratio that would divide by zero.
 *
 * Conventions: 365 days a year (the market never closes), simple returns, no risk-free rate, sample
 * standard deviation (n - 1). Each function names its source. Where sources differ, the product's contract
 * decides.
 */

/**
 * A series whose standard deviation is below this is flat. A daily return is a ratio minus one, so it
 * carries a rounding error of about 1e-16 whatever its size; a deviation this small is rounding, not risk.
 */
const FLAT_DEVIATION = 1e-14;

const ANNUAL_ROOT = Math.sqrt(DAYS_PER_YEAR);

export interface Moments {
  readonly mean: number;
  /** Sample standard deviation; 0 when the series is flat, NaN for fewer than two days. */
  readonly deviation: number;
}

/**
 * Mean and deviation in one pass over the differences from the slice's first return. The sum of squares
 * then loses at most a factor of the number of days in precision, and equal returns leave exactly zero
 * (shifted data: Chan, Golub, LeVeque 1983, "Algorithms for Computing the Sample Variance"). With too few
 * days both are 0 / 0, which is NaN; the mean of no days is NaN too.
 */
function momentsOf(returns: Float64Array, from: number, to: number): Moments {
  const days = to - from;
  const anchor = returns[from]!;
  let sum = 0;
  let squares = 0;
  for (let row = from + 1; row < to; row++) {
    const distance = returns[row]! - anchor;
    sum += distance;
    squares += distance * distance;
  }
  return momentsOfSums({ anchor, sum, squares, days });
}

/**
 * Moments of at least two days, from the sums of their differences from an anchor and of the squared
 * differences.
 */
export function momentsOfSums(sums: {
  anchor: number;
  sum: number;
  squares: number;
  days: number;
}): Moments {
  const { anchor, sum, squares, days } = sums;
  const deviation = Math.sqrt(Math.max(0, squares - (sum * sum) / days) / (days - 1));
  return { mean: anchor + sum / days, deviation: deviation < FLAT_DEVIATION ? 0 : deviation };
}

/** Sample standard deviation of the daily returns: 0 when flat, NaN for fewer than two days. */
export function dailyDeviation(returns: Float64Array, from: number, to: number): number {
  return momentsOf(returns, from, to).deviation;
}

/**
 * Annual Sharpe ratio (Sharpe 1994, "The Sharpe Ratio"; annualised as in Lo 2002 for independent days):
 * mean / sample standard deviation x sqrt(365). NaN for a flat series, which has no risk to reward, and for
 * fewer than two days.
 */
export function sharpeRatio(returns: Float64Array, from: number, to: number): number {
  return sharpeOfMoments(momentsOf(returns, from, to));
}

export function sharpeOfMoments({ mean, deviation }: Moments): number {
  return deviation > 0 ? (mean / deviation) * ANNUAL_ROOT : NaN;
}

/**
 * Annual Sortino ratio (Sortino and Price 1994, target 0): mean / downside deviation x sqrt(365). The
 * downside deviation is the root mean square of the negative returns, taken over all days. NaN when no day
 * lost.
 */
export function sortinoRatio(returns: Float64Array, from: number, to: number): number {
  const days = to - from;
  let sum = 0;
  let squares = 0;
  for (let row = from; row < to; row++) {
    const value = returns[row]!;
    sum += value;
    if (value < 0) squares += value * value;
  }
  const downside = Math.sqrt(squares / days);
  return downside >= FLAT_DEVIATION ? (sum / days / downside) * ANNUAL_ROOT : NaN;
}

/** Annual standard deviation: daily, times sqrt(365). 0 for a flat series. */
export function volatility(returns: Float64Array, from: number, to: number): number {
  return dailyDeviation(returns, from, to) * ANNUAL_ROOT;
}

/** Compounded daily returns: what one dollar became. 1 over no days. */
function growthOf(returns: Float64Array, from: number, to: number): number {
  let growth = 1;
  for (let row = from; row < to; row++) growth *= 1 + returns[row]!;
  return growth;
}

/** Compounded daily returns: growth of one dollar, minus one. 0 over no days. */
export function totalReturn(returns: Float64Array, from: number, to: number): number {
  return growthOf(returns, from, to) - 1;
}

/**
 * Calmar ratio (Young 1991, here over the whole slice): CAGR / |deepest drawdown|. NaN without a drawdown.
 */
export function calmarRatio(cagr: number, deepest: number): number {
  return deepest < 0 ? cagr / -deepest : NaN;
}

/**
 * Deepest drawdown: the lowest close of the equity relative to its high so far, starting cash included. A
 * fraction, never positive; 0 when equity never closed below a previous high.
 */
export function maxDrawdown(returns: Float64Array, from: number, to: number): number {
  let growth = 1;
  let peak = 1;
  let deepest = 0;
  for (let row = from; row < to; row++) {
    growth *= 1 + returns[row]!;
    if (growth > peak) peak = growth;
    const drawdown = growth / peak - 1;
    if (drawdown < deepest) deepest = drawdown;
  }
  return deepest;
}

/**
 * Equity this close below its high, relatively, is at its high, and drawdowns this close are equally deep.
 * Compounded returns lead back to an earlier close of the same price with an error of about 1e-16 for each
 * day between them.
 */
const ROUNDING_TOLERANCE = 1e-12;

/** Equity relative to its high so far: negative, or 0 where at most rounding tells the two apart. */
export function drawdownFrom(peak: number, growth: number): number {
  const drawdown = growth / peak - 1;
  return drawdown >= -ROUNDING_TOLERANCE ? 0 : drawdown;
}

/**
 * Length in days of the deepest drawdown (the first of those that only rounding tells apart) and of the longest: from
 * the close of its peak to the first close back at or above it, or to the last close if it never recovered. The
 * starting cash counts as the close before the first day.
 */
export function drawdownDays(returns: Float64Array, from: number, to: number) {
  let growth = 1;
  let peak = 1;
  let peakRow = from - 1;
  let deepestDrawdown = 0;
  let isDeepest = false; // the current drawdown holds the lowest value so far
  let deepest = 0;
  let longest = 0;
  for (let row = from; row < to; row++) {
    growth *= 1 + returns[row]!;
    const drawdown = drawdownFrom(peak, growth);
    if (drawdown < deepestDrawdown - ROUNDING_TOLERANCE) {
      deepestDrawdown = drawdown;
      isDeepest = true;
    }
    const days = row - peakRow; // on the day of recovery this still counts from the old peak
    if (isDeepest) deepest = days;
    if (drawdown < 0 || days > 1) longest = Math.max(longest, days);
    if (drawdown < 0) continue;
    if (growth > peak) peak = growth;
    peakRow = row;
    isDeepest = false;
  }
  return { deepest, longest };
}

export interface Shape {
  /** Third standardised moment, m3 / m2^1.5. */
  readonly skew: number;
  /** Fourth standardised moment, m4 / m2^2; not the excess: a normal distribution has 3. */
  readonly kurtosis: number;
}

/**
 * Skew and kurtosis from population moments (divisor n), the plain estimators that the deflated
 * Sharpe ratio is defined with (Bailey and Lopez de Prado 2014). NaN for a flat series.
 */
export function shapeOfReturns(returns: Float64Array, from: number, to: number): Shape {
  return shapeAbout(momentsOf(returns, from, to), returns, from, to);
}

/** The same for a slice whose moments are already known. */
export function shapeAbout(
  { mean, deviation }: Moments,
  returns: Float64Array,
  from: number,
  to: number,
): Shape {
  const days = to - from;
  if (!(deviation > 0)) return { skew: NaN, kurtosis: NaN };
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let row = from; row < to; row++) {
    const distance = returns[row]! - mean;
    const square = distance * distance;
    second += square;
    third += square * distance;
    fourth += square * square;
  }
  const variance = second / days;
  return {
    skew: third / days / (variance * Math.sqrt(variance)),
    kurtosis: fourth / days / (variance * variance),
  };
}

/** Every figure of a slice of daily returns. Rates are fractions. */
export type ReturnStatistics = Readonly<ReturnType<typeof returnStatistics>>;

export function returnStatistics(returns: Float64Array, from = 0, to = returns.length) {
  const growth = growthOf(returns, from, to); // 1 + total return is 0 for a run that lost all but 1e-17
  const cagr = annualGrowth(growth, to - from);
  const deepest = maxDrawdown(returns, from, to);
  const days = drawdownDays(returns, from, to);
  return {
    days: to - from,
    totalReturn: growth - 1,
    cagr,
    volatility: volatility(returns, from, to),
    sharpe: sharpeRatio(returns, from, to),
    sortino: sortinoRatio(returns, from, to),
    calmar: calmarRatio(cagr, deepest),
    maxDrawdown: deepest,
    maxDrawdownDays: days.deepest,
    longestDrawdownDays: days.longest,
    ...shapeOfReturns(returns, from, to),
  };
}
