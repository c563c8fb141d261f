import { normalCdf } from "../../../quant/overfitting/normal-cdf.ts";
import { normalQuantile } from "../../../quant/overfitting/normal-quantile.ts";
import type { SharpeEstimate } from "../../../quant/overfitting/probabilistic-sharpe.ts";
import { sharpeVarianceTerm } from "../../../quant/overfitting/probabilistic-sharpe.ts";

/**
 * The Sharpe tests of Lopez de Prado, Lipton and Zoonekynd, "How to Use the Sharpe Ratio", ADIA Lab RP 19,
 * 2025 (SSRN 5520741). They take the variance under the null hypothesis, at the benchmark instead of the
 * estimate; use T instead of T - 1; and allow AR(1) returns. The service answers with the 2012 and 2014
 * statistics.
 */
export interface SharpeNull {
  readonly benchmark: number;
  readonly skew: number;
  readonly kurtosis: number;
  /** First autocorrelation of the returns. */
  readonly autocorrelation: number;
}

/** Variance of a Sharpe estimator at a true Sharpe of x, times T, for AR(1) returns. */
export function autocorrelatedVarianceTerm(
  x: number,
  returns: Omit<SharpeNull, "benchmark">,
): number {
  const { skew, kurtosis, autocorrelation: rho } = returns;
  if (rho === 0) return sharpeVarianceTerm(x, skew, kurtosis);
  const square = rho * rho;
  return (
    (1 + rho) / (1 - rho) -
    ((1 + rho + square) / (1 - square)) * skew * x +
    ((1 + square) / (1 - square)) * ((kurtosis - 1) / 4) * x * x
  );
}

/** PSR with the variance of the null hypothesis. */
export function nullProbabilisticSharpe(
  { sharpe, observations }: Pick<SharpeEstimate, "sharpe" | "observations">,
  hypothesis: SharpeNull,
): number {
  const variance = autocorrelatedVarianceTerm(hypothesis.benchmark, hypothesis) / observations;
  return normalCdf((sharpe - hypothesis.benchmark) / Math.sqrt(variance));
}

/** Observations at which that PSR reaches `confidence`; infinite for a Sharpe at or below the benchmark. */
export function nullMinTrackRecordLength(
  sharpe: number,
  hypothesis: SharpeNull,
  confidence: number,
): number {
  if (sharpe <= hypothesis.benchmark) return Infinity;
  const ratio = normalQuantile(confidence) / (sharpe - hypothesis.benchmark);
  return autocorrelatedVarianceTerm(hypothesis.benchmark, hypothesis) * ratio * ratio;
}

/** Power of the test at `confidence`: the chance that it detects a strategy with the given true Sharpe. */
export function sharpeTestPower(
  truth: Pick<SharpeEstimate, "sharpe" | "observations">,
  hypothesis: SharpeNull,
  confidence: number,
): number {
  const standardError = (x: number) =>
    Math.sqrt(autocorrelatedVarianceTerm(x, hypothesis) / truth.observations);
  const { benchmark } = hypothesis;
  const critical = benchmark + normalQuantile(confidence) * standardError(benchmark);
  return normalCdf((truth.sharpe - critical) / standardError(truth.sharpe));
}
