import type { SquareMatrix } from "./correlation-matrix.ts";
import { meanCorrelation } from "./correlation-matrix.ts";
import { symmetricEigenvalues } from "./symmetric-eigenvalues.ts";

/**
 * How many independent trials the correlated ones are worth: `rho + (1 - rho) M` for M trials with mean
 * correlation rho, which is M at rho = 0 and 1 at rho = 1. Bailey and Lopez de Prado 2014, appendix.
 */
export function effectiveTrials(matrix: SquareMatrix): number {
  if (matrix.size < 2) return matrix.size;
  const rho = meanCorrelation(matrix);
  return rho + (1 - rho) * matrix.size;
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
