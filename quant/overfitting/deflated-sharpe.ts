import { normalQuantile, normalQuantileOfLog } from "./normal-quantile.ts";
import type { SharpeEstimate } from "./probabilistic-sharpe.ts";
import { probabilisticSharpe, sharpeStandardError } from "./probabilistic-sharpe.ts";

const EULER_MASCHERONI = 0.5772156649015329;

/**
 * Expected maximum of `trials` independent standard normals: Bailey, Borwein, Lopez de Prado and Zhu,
 * Notices AMS 61(5), 2014. Lopez de Prado and Bailey, American Mathematical Monthly 128(9), 2021 (SSRN
 * 3221798), call it the False Strategy Theorem. It is an approximation: -8 % at two trials, +2.5 % at five,
 * +0.9 % at a hundred.
 *
 * A single trial involves no selection, so its maximum is 0 by definition, although the formula gives minus
 * infinity. The formula is negative up to 1.46 trials (effective trials need not be whole); those get 0
 * too. The quantiles are taken in the lower tail because `1 - 1/N` has lost its digits at N = 1e9.
 */
export function expectedMaximum(trials: number): number {
  if (!(trials >= 1)) throw new RangeError(`trials must be at least 1, got ${trials}`);
  const logTrials = Math.log(trials);
  const maximum =
    -(1 - EULER_MASCHERONI) * normalQuantile(1 / trials) -
    EULER_MASCHERONI * normalQuantileOfLog(-logTrials - 1);
  return Math.max(0, maximum);
}

/** Deflation by a number of trials whose per-bar Sharpe ratios have variance V. */
interface Deflation {
  readonly trials: number;
  readonly trialsVariance: number;
}

/**
 * V of independent trials without skill: the sampling variance of a Sharpe ratio of 0. Trials of different skill
 * spread more, variants of one idea less. With it, DSR is 0.5 at the minimum backtest length.
 */
export function nullTrialsVariance(observations: number): number {
  return 1 / (observations - 1);
}

/** SR0: the per-bar Sharpe that the best of the trials would have without any skill. */
export function luckBar({ trials, trialsVariance }: Deflation): number {
  return Math.sqrt(trialsVariance) * expectedMaximum(trials);
}

/**
 * Deflated Sharpe ratio: the probability that the true Sharpe exceeds the luck bar.
 * Bailey and Lopez de Prado, J. of Portfolio Management 40(5), 2014 (SSRN 2460551), eq. 2.
 */
export function deflatedSharpe(estimate: SharpeEstimate, deflation: Deflation): number {
  return probabilisticSharpe(estimate, luckBar(deflation));
}

/**
 * Minimum backtest length in years: Bailey, Borwein, Lopez de Prado and Zhu 2014. In a shorter backtest, the
 * best of `trials` without skill is expected to show a Sharpe of `annualSharpe`. NaN when the Sharpe is not
 * positive.
 */
export function minBacktestYears(annualSharpe: number, trials: number): number {
  return annualSharpe > 0 ? (expectedMaximum(trials) / annualSharpe) ** 2 : NaN;
}

/** Relative error of the root that the secant method finds. */
const NEAR = 3e-13;
/** Last step of the secant method: once its steps are this small, the root is within `NEAR`. */
const SECANT_ENOUGH = 1e-6;
const SECANTS_MAX = 12;
/** Break-evens end here; this value means "any number of trials". */
export const BREAK_EVEN_TRIALS_MAX = 1e300;
const LOG_TRIALS_MAX = Math.log(BREAK_EVEN_TRIALS_MAX);

/**
 * The largest whole number of trials at which DSR is still at least `threshold`, or undefined when even one
 * trial is too many. Above 2^53, where every float64 is whole, it is exact to 15 digits. It never exceeds
 * `BREAK_EVEN_TRIALS_MAX`.
 */
export function breakEvenTrials(
  estimate: SharpeEstimate,
  trialsVariance: number,
  threshold: number,
): number | undefined {
  const survives = (trials: number) =>
    deflatedSharpe(estimate, { trials, trialsVariance }) >= threshold;
  if (!survives(1)) return undefined;
  if (survives(BREAK_EVEN_TRIALS_MAX)) return BREAK_EVEN_TRIALS_MAX;
  // Starting near the root saves four fifths of the search's steps and gives the same number.
  const near = trialsWithMaximum(
    (estimate.sharpe - normalQuantile(threshold) * sharpeStandardError(estimate)) /
      Math.sqrt(trialsVariance),
  );
  let low = Math.max(1, Math.floor(near * (1 - NEAR) - 1));
  let high = Math.min(BREAK_EVEN_TRIALS_MAX, Math.ceil(near * (1 + NEAR) + 1));
  if (!(low > 1 && survives(low))) low = 1;
  if (!(high < BREAK_EVEN_TRIALS_MAX && !survives(high))) high = BREAK_EVEN_TRIALS_MAX;
  for (;;) {
    // Bisects the exponent first, then the interval.
    const middle = Math.floor(high / low > 4 ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2);
    if (middle <= low || middle >= high) return low;
    if (survives(middle)) low = middle;
    else high = middle;
  }
}

/**
 * Approximate number of trials, not rounded, with this expected maximum. The secant method works on the
 * logarithm of the number, in which the expected maximum is nearly linear.
 */
function trialsWithMaximum(maximum: number): number {
  let log = Math.max(1, (maximum * maximum) / 2);
  let before = 0.9 * log;
  let missedBefore = expectedMaximum(Math.exp(before)) - maximum;
  for (let step = 0; step < SECANTS_MAX; step++) {
    const missed = expectedMaximum(Math.exp(Math.min(log, LOG_TRIALS_MAX))) - maximum;
    const next = log - (missed * (log - before)) / (missed - missedBefore);
    before = log;
    missedBefore = missed;
    log = Math.min(Math.max(next, 0), LOG_TRIALS_MAX);
    if (!(Math.abs(log - before) > SECANT_ENOUGH)) break;
  }
  return Math.exp(log);
}
