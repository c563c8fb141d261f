/**
 * Factor that turns a per-bar Sharpe ratio into one over `bars` bars when returns are AR(1): `sqrt(bars)`
 * without autocorrelation, less with positive autocorrelation. Lo, "The Statistics of Sharpe Ratios",
 * Financial Analysts J. 58(4), 2002, eq. 22, Table 2. Harvey and Liu's program uses it; the
 * service takes returns as independent.
 */
export function autocorrelationScale(bars: number, autocorrelation: number): number {
  const rho = autocorrelation;
  const tail = (1 - rho ** bars) / (bars * (1 - rho));
  return Math.sqrt(bars / (1 + ((2 * rho) / (1 - rho)) * (1 - tail)));
}
