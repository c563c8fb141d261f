import type { SquareMatrix } from "./correlation-matrix.ts";
import { symmetricEigenvalues } from "./symmetric-eigenvalues.ts";

/**
 * The number of independent trials that M correlated ones imply: `rho + (1 - rho) M` at a mean correlation of rho,
 * which is M at rho = 0 and 1 at rho = 1. A single trial has no correlation and counts as one. Bailey and Lopez de
 * Prado 2014, appendix.
 */
export function impliedTrials(trials: number, meanCorrelation: number): number {
  return trials < 2 ? trials : meanCorrelation + (1 - meanCorrelation) * trials;
}

/**
 * Effective rank, from 1 to M: the exponential of the entropy of the eigenvalues' shares. Roy and Vetterli,
 * "The effective rank", EUSIPCO 2007. Eigenvalues at or below 0 are ignored; in a correlation matrix only
 * rounding makes one negative.
 */
export function effectiveRank(matrix: SquareMatrix): number {
  const positive = symmetricEigenvalues(matrix).filter((value) => value > 0);
  let total = 0;
  for (const value of positive) total += value;
  let entropy = 0;
  for (const value of positive) entropy -= (value / total) * Math.log(value / total);
  return Math.exp(entropy);
}
