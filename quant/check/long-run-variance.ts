/** Largest AR(1) coefficient that is filtered out, in size: near 1 the recolouring would explode. */
const COEFFICIENT_MAX = 0.97;
/** Andrews 1991, Table I: the constant of the optimal bandwidth for Bartlett's kernel. */
const BARTLETT_CONSTANT = 1.1447;

/** Least-squares coefficient of x on its value a row before, without an intercept. */
function firstOrderCoefficient(x: Float64Array): number {
  let products = 0;
  let squares = 0;
  for (let row = 1; row < x.length; row++) {
    products += x[row]! * x[row - 1]!;
    squares += x[row - 1]! * x[row - 1]!;
  }
  return squares > 0 ? products / squares : 0;
}

/**
 * Bartlett's estimate of the long-run variance of a series with mean 0: the autocovariances, divisor n, with
 * weights `1 - k / (S + 1)`. S need not be whole (Newey and West 1987 have whole ones).
 */
export function bartlettVariance(x: Float64Array, bandwidth: number): number {
  const { length } = x;
  let total = covarianceSum(x, 0);
  for (let lag = 1; lag < Math.min(length, bandwidth + 1); lag++) {
    total += 2 * (1 - lag / (bandwidth + 1)) * covarianceSum(x, lag);
  }
  return total / length;
}

function covarianceSum(x: Float64Array, lag: number): number {
  let sum = 0;
  for (let row = lag; row < x.length; row++) sum += x[row]! * x[row - lag]!;
  return sum;
}

/**
 * Andrews' automatic bandwidth for Bartlett's kernel: `1.1447 (alpha n)^(1/3)`, where alpha is that of an AR(1)
 * fitted to the series. Andrews, "Heteroskedasticity and Autocorrelation Consistent Covariance Matrix
 * Estimation", Econometrica 59, 1991, eq. 6.2 and 6.4.
 */
function andrewsBandwidth(x: Float64Array): number {
  const rho = clipped(firstOrderCoefficient(x));
  const alpha = (4 * rho * rho) / ((1 - rho) * (1 - rho) * (1 + rho) * (1 + rho));
  return BARTLETT_CONSTANT * Math.cbrt(alpha * x.length);
}

/**
 * Long-run variance of a series with mean 0: the variance of its mean, times its length. The series is
 * prewhitened by an AR(1), Bartlett's estimate with Andrews' bandwidth is taken of the residuals, and the
 * result is recoloured by `(1 - a)^-2`. Andrews and Monahan, "An Improved Heteroskedasticity and
 * Autocorrelation Consistent Covariance Matrix Estimator", Econometrica 60, 1992.
 */
export function longRunVariance(x: Float64Array): number {
  const a = clipped(firstOrderCoefficient(x));
  const residuals = new Float64Array(x.length - 1);
  for (let row = 0; row < residuals.length; row++) residuals[row] = x[row + 1]! - a * x[row]!;
  const variance = bartlettVariance(residuals, andrewsBandwidth(residuals));
  return variance / ((1 - a) * (1 - a));
}

function clipped(coefficient: number): number {
  return Math.max(-COEFFICIENT_MAX, Math.min(COEFFICIENT_MAX, coefficient));
}
