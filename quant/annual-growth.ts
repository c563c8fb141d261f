import { DAYS_PER_YEAR } from "./calendar.ts";

/**
 * Compound annual growth rate of a value that grew `factor`-fold over `days` days, as a fraction: factor ^ (365 / days) - 1.
 * NaN where there is none: no day has passed, or the figure is beyond float64 (a tenfold day).
 *
 * By logarithm and exponential, not by a power: versions of V8 differ in the last bits of powers, and the same prices are to
 * give the same bytes; a rate near zero is more exact besides.
 */
export function annualGrowth(factor: number, days: number): number {
  if (days === 0) return NaN;
  const rate = Math.expm1((Math.log(factor) * DAYS_PER_YEAR) / days);
  return Number.isFinite(rate) ? rate : NaN;
}
