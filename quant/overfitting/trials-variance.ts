import { sampleVariance } from "simple-statistics";

/**
 * Variance of the trials' Sharpe ratios, the V of the deflated Sharpe ratio: the sample variance (n - 1)
 * over the trials that have a Sharpe. Flat trials (NaN) are left out. NaN for fewer than two.
 */
export function trialsSharpeVariance(sharpes: ArrayLike<number>): number {
  const known = Array.from(sharpes).filter((sharpe) => !Number.isNaN(sharpe));
  return known.length < 2 ? NaN : sampleVariance(known);
}
