import { normalQuantile, normalQuantileOfLog } from "./normal-quantile.ts";
import type { SharpeEstimate } from "./probabilistic-sharpe.ts";
import { probabilisticSharpe, sharpeStandardError } from "./probabilistic-sharpe.ts";

const EULER_MASCHERONI = 0.5772156649015329;

/**
 * Expected maximum of `trials` independent standard normals: Bailey, Borwein, Lopez de Prado and Zhu,
 * Notices AMS 61(5), 2014; the False Strategy Theorem of Lopez de Prado and Bailey, American Mathematical
 * Monthly 128(9), 2021 (SSRN 3221798). It is an approximation: -8 % at two trials, +2.5 % at five, +0.9 % at
 * a hundred.
 *
 * One trial involves no selection, so its maximum is 0 by definition, where the formula gives minus infinity.
 * Up to 1.46 trials (effective trials need not be whole) the formula is negative and the maximum is 0 as
 * well. The quantiles are taken in the lower tail because `1 - 1/N` has lost its digits at N = 1e9.
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
 * V of independent trials without skill: the sampling variance of a Sharpe ratio of 0. Trials that differ in
 * skill spread more, variants of one idea less. With this V, DSR is 0.5 at the minimum backtest length.
 */
export function nullTrialsVariance(observations: number): number {
  return 1 / (observations - 1);
}

/** SR0: the per-bar Sharpe that the best of the trials would have without any skill. */
export function luckBar({ trials, trialsVariance }: Deflation): number {
  return Math.sqrt(trialsVariance) * expectedMaximum(trials);
}

/**
 * Deflated Sharpe ratio: 1 less the p-value of a true Sharpe at the luck bar.
 * Bailey and Lopez de Prado, J. of Portfolio Management 40(5), 2014 (SSRN 2460551), eq. 2.
 */
export function deflatedSharpe(estimate: SharpeEstimate, deflation: Deflation): number {
  return probabilisticSharpe(estimate, luckBar(deflation));
}

/**
 * Minimum backtest length in years: Bailey, Borwein, Lopez de Prado and Zhu 2014. In a shorter backtest the
 * best of `trials` without skill is expected to show `annualSharpe`. NaN unless the Sharpe is positive.
 */
export function minBacktestYears(annualSharpe: number, trials: number): number {
  return annualSharpe > 0 ? (expectedMaximum(trials) / annualSharpe) ** 2 : NaN;
}

/** The break-even of a Sharpe that survives any number of trials. */
export const BREAK_EVEN_TRIALS_MAX = 1e300;

/**
 * The largest whole number of trials, up to `BREAK_EVEN_TRIALS_MAX`, at which DSR is still at least `threshold`;
 * undefined when one trial is too many. Above 2^53, where every float64 is whole, it is right to 11 digits.
 */
export function breakEvenTrials(
  estimate: SharpeEstimate,
  trialsVariance: number,
  threshold: number,
): number | undefined {
  const survives = (trials: number) =>
    deflatedSharpe(estimate, { trials, trialsVariance }) >= threshold;
  if (!survives(1)) return undefined;
  // DSR reaches the threshold where the expected maximum, in deviations of the trials, is this one.
  const margin = estimate.sharpe - normalQuantile(threshold) * sharpeStandardError(estimate);
  const maximum = margin / Math.sqrt(trialsVariance);
  let [low, high] = [1, BREAK_EVEN_TRIALS_MAX];
  if (expectedMaximum(high) <= maximum) return high;
  for (;;) {
    // Bisects the exponent first, then the interval.
    const middle = Math.floor(high / low > 4 ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2);
    if (middle <= low || middle >= high) return [high, low].find(survives) ?? low - 1; // rounding
    if (expectedMaximum(middle) <= maximum) low = middle;
    else high = middle;
  }
}
