/** Day count of every annualised figure: actual days over a year of 365. */
export const DAYS_PER_YEAR = 365;

/**
 * Compound annual growth rate of a value that grew `factor`-fold over `days` days, as a fraction.
 * NaN where there is none: no day has passed, or the figure is beyond float64 (a tenfold day).
 */
export function annualGrowth(factor: number, days: number): number {
  if (days === 0) return NaN;
  const rate = factor ** (DAYS_PER_YEAR / days) - 1;
  return Number.isFinite(rate) ? rate : NaN;
}
