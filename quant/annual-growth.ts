import { DAYS_PER_YEAR } from "./calendar.ts";

/**
 * Compound annual growth rate, as a fraction, of a value that grew `factor`-fold over `days` days: factor ^
 * (365 / days) - 1. NaN where there is none: no day has passed, or the figure is beyond float64 (a tenfold
 * gain in a day).
 *
 * Computed by logarithm and exponential, not as a power: versions of V8 differ in the last bits of powers,
 * and the same prices must give the same bytes. It is also more exact for rates near zero.
 */
export function annualGrowth(factor: number, days: number): number {
  if (days === 0) return NaN;
  const rate = Math.expm1((Math.log(factor) * DAYS_PER_YEAR) / days);
  return Number.isFinite(rate) ? rate : NaN;
}
