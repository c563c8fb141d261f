import { logNormalCdf, normalCdf } from "./normal-cdf.ts";
import { normalQuantile } from "./normal-quantile.ts";

/**
 * A Sharpe ratio per bar, not annualised, with the bars it was estimated from. The kurtosis is not the excess.
 * The statistics of this file are those of Bailey and Lopez de Prado, "The Sharpe Ratio Efficient Frontier",
 * J. of Risk 15(2), 2012 (SSRN 1821643), where the number of bars enters as T - 1.
 */
export interface SharpeEstimate {
  readonly sharpe: number;
  readonly observations: number;
  readonly skew: number;
  readonly kurtosis: number;
}

/** The DSR from which the verdict is skill, and the confidence of a minimum track record. */
export const CONFIDENCE = 0.95;

/**
 * Variance of a Sharpe estimator, times the observations: `1 - skew x + (kurtosis - 1)/4 x^2` at a Sharpe
 * of x (Mertens 2002; Lo 2002 for the normal). It is written as a square plus the kurtosis in excess of
 * Pearson's bound `1 + skew^2`, so that on the bound it is never negative.
 */
export function sharpeVarianceTerm(x: number, skew: number, kurtosis: number): number {
  const root = 1 - (skew * x) / 2;
  return root * root + ((kurtosis - 1 - skew * skew) / 4) * x * x;
}

/**
 * Standard error of the Sharpe ratio: Bailey and Lopez de Prado, 2012. For normal returns it is that of Lo,
 * "The Statistics of Sharpe Ratios", 2002, eq. 9, but for T - 1 where he has T.
 */
export function sharpeStandardError(estimate: SharpeEstimate): number {
  const { sharpe, observations, skew, kurtosis } = estimate;
  return Math.sqrt(sharpeVarianceTerm(sharpe, skew, kurtosis) / (observations - 1));
}

/** How many standard errors the estimate lies above a Sharpe of `benchmark`. */
export function sharpeZScore(estimate: SharpeEstimate, benchmark: number): number {
  return (estimate.sharpe - benchmark) / sharpeStandardError(estimate);
}

/** PSR: 1 less the p-value of a true Sharpe at `benchmark`. */
export function probabilisticSharpe(estimate: SharpeEstimate, benchmark: number): number {
  return normalCdf(sharpeZScore(estimate, benchmark));
}

/**
 * Family-wise p-value: the probability that the best of `trials` independent trials without skill has at
 * least this z-score, `1 - PSR(0)^trials`. Logarithms keep its digits where PSR is within 1e-90 of 1.
 */
export function familyWisePValue(estimate: SharpeEstimate, trials: number): number {
  return -Math.expm1(trials * logNormalCdf(sharpeZScore(estimate, 0)));
}

/**
 * Minimum track record length: the observations at which PSR reaches `confidence` (the paper of 2012, eq.
 * 13). Not rounded up. Infinite when the Sharpe does not exceed the benchmark.
 */
export function minTrackRecordLength(
  estimate: Omit<SharpeEstimate, "observations">,
  benchmark: number,
  confidence: number,
): number {
  const { sharpe, skew, kurtosis } = estimate;
  if (sharpe <= benchmark) return Infinity;
  const ratio = normalQuantile(confidence) / (sharpe - benchmark);
  return 1 + sharpeVarianceTerm(sharpe, skew, kurtosis) * ratio * ratio;
}
