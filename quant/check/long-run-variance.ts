/** Largest AR(1) coefficient, in size, that is filtered out: near 1 the recolouring would explode. */
const COEFFICIENT_MAX = 0.97;
/** Andrews 1991, Table I: the constant of the optimal bandwidth for Bartlett's kernel. */
const BARTLETT_CONSTANT = 1.1447;

/** The sum of the products of each value with the one `lag` rows before it. */
export function lagSum(x: Float64Array, lag: number): number {
  let sum = 0;
  for (let row = lag; row < x.length; row++) sum += x[row]! * x[row - lag]!;
  return sum;
}

/** Least-squares coefficient of x on its value a row before, without an intercept, clipped to 0.97 in size. */
function firstOrderCoefficient(x: Float64Array): number {
  const squares = lagSum(x.subarray(0, -1), 0);
  const coefficient = squares > 0 ? lagSum(x, 1) / squares : 0;
  return Math.max(-COEFFICIENT_MAX, Math.min(COEFFICIENT_MAX, coefficient));
}

/**
 * Bartlett's estimate of the long-run variance of a series with mean 0: the autocovariances, divisor n, with
 * weights `1 - k / (S + 1)`. S need not be whole (Newey and West 1987 have whole ones).
 */
export function bartlettVariance(x: Float64Array, bandwidth: number): number {
  const { length } = x;
  let total = lagSum(x, 0);
  for (let lag = 1; lag < Math.min(length, bandwidth + 1); lag++) {
    total += 2 * (1 - lag / (bandwidth + 1)) * lagSum(x, lag);
  }
  return total / length;
}

/**
 * Andrews' automatic bandwidth for Bartlett's kernel: `1.1447 (alpha n)^(1/3)`, where alpha is that of an AR(1)
 * fitted to the series. Andrews, "Heteroskedasticity and Autocorrelation Consistent Covariance Matrix
 * Estimation", Econometrica 59, 1991, eq. 6.2 and 6.4.
 */
function andrewsBandwidth(x: Float64Array): number {
  const rho = firstOrderCoefficient(x);
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
  const a = firstOrderCoefficient(x);
  const residuals = x.subarray(1).map((value, row) => value - a * x[row]!);
  return bartlettVariance(residuals, andrewsBandwidth(residuals)) / ((1 - a) * (1 - a));
}
