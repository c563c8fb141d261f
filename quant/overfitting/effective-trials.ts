import type { SquareMatrix } from "./correlation-matrix.ts";
import { meanCorrelation } from "./correlation-matrix.ts";
import { symmetricEigenvalues } from "./symmetric-eigenvalues.ts";

/**
 * Number of independent trials that correlated ones are worth: `rho + (1 - rho) M` at
 * a mean correlation of rho, from M at 0 to 1 at 1. Bailey and Lopez de Prado 2014, appendix.
 */
export function effectiveTrials(matrix: SquareMatrix): number {
  if (matrix.size < 2) return matrix.size;
  const rho = meanCorrelation(matrix);
  return rho + (1 - rho) * matrix.size;
}

/**
 * Effective rank: the exponential of the entropy of the eigenvalues' shares, from 1 to M. Roy and
 * Vetterli, "The effective rank", EUSIPCO 2007. Eigenvalues at or below 0, which a correlation
 * matrix has by rounding alone, count as none.
 */
export function effectiveRank(matrix: SquareMatrix): number {
  const positive = symmetricEigenvalues(matrix).filter((value) => value > 0);
  let total = 0;
  for (const value of positive) total += value;
  let entropy = 0;
  for (const value of positive) entropy -= (value / total) * Math.log(value / total);
  return Math.exp(entropy);
}
