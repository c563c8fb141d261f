import { normalQuantile, normalQuantileOfLog } from "./normal-quantile.ts";
import type { SharpeEstimate } from "./probabilistic-sharpe.ts";
import { probabilisticSharpe, sharpeStandardError } from "./probabilistic-sharpe.ts";

const EULER_MASCHERONI = 0.5772156649015329;

/**
 * Expected maximum of `trials` independent standard normals: Bailey, Borwein, Lopez de
 * Prado and Zhu, Notices AMS 61(5), 2014 (the False Strategy Theorem). One trial has no selection:
 * 0 by definition, where the formula is minus infinity, as it is 0 wherever the formula is below
 * (up to 1.46 trials; a number of effective trials need not be whole). The quantiles are those of
 * the lower tail: `1 - 1/N` has lost its digits at 1e9.
 */
export function expectedMaximum(trials: number): number {
  if (!(trials >= 1)) throw new RangeError(`trials must be at least 1, got ${trials}`);
  const logTrials = Math.log(trials);
  const maximum =
    -(1 - EULER_MASCHERONI) * normalQuantile(1 / trials) -
    EULER_MASCHERONI * normalQuantileOfLog(-logTrials - 1);
  return Math.max(0, maximum);
}

/** Deflation by a number of trials whose per-bar Sharpe ratios have the variance V. */
export interface Deflation {
  readonly trials: number;
  readonly trialsVariance: number;
}

/**
 * V of independent trials without skill: the sampling variance of a Sharpe ratio of 0. It is the
 * lower bound of any V, and with it DSR is 0.5 at the minimum backtest length.
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
 * Minimum backtest length in years: a shorter one is expected to show a best Sharpe of
 * `annualSharpe` among `trials` without skill. NaN when the Sharpe is not positive.
 */
export function minBacktestYears(annualSharpe: number, trials: number): number {
  return annualSharpe > 0 ? (expectedMaximum(trials) / annualSharpe) ** 2 : NaN;
}

/** How near the secants come, relatively; the step after which they are so near; and how many they are at most. */
const NEAR = 3e-13;
const SECANT_ENOUGH = 1e-6;
const SECANTS_MAX = 12;
/** A break-even beyond this is reported as this: it stands for "any number of trials". */
export const BREAK_EVEN_TRIALS_MAX = 1e300;
const LOG_TRIALS_MAX = Math.log(BREAK_EVEN_TRIALS_MAX);

/**
 * The largest whole number of trials at which DSR is still at least `threshold`, or undefined when
 * one trial is too many already. Beyond 2^53 it is whole as every float64 is, and exact to 15
 * digits; it ends at `BREAK_EVEN_TRIALS_MAX`.
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
  // Near the root first: from there the search needs a fifth of the steps, and ends at the same number.
  const near = trialsWithMaximum(
    (estimate.sharpe - normalQuantile(threshold) * sharpeStandardError(estimate)) /
      Math.sqrt(trialsVariance),
  );
  let low = Math.max(1, Math.floor(near * (1 - NEAR) - 1));
  let high = Math.min(BREAK_EVEN_TRIALS_MAX, Math.ceil(near * (1 + NEAR) + 1));
  if (!(low > 1 && survives(low))) low = 1;
  if (!(high < BREAK_EVEN_TRIALS_MAX && !survives(high))) high = BREAK_EVEN_TRIALS_MAX;
  for (;;) {
    // The exponent is halved first, then the interval.
    const middle = Math.floor(high / low > 4 ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2);
    if (middle <= low || middle >= high) return low;
    if (survives(middle)) low = middle;
    else high = middle;
  }
}

/** About the number of trials, not whole, whose expected maximum is this: secants on its logarithm, where it is nearly straight. */
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
