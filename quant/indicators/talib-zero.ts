/**
 * What TA-Lib takes for zero where it would divide or take a root: TA_EPSILON of ta_utility.h,
 * version 0.6. It is absolute, in the unit of the values, so it is the one place where an
 * indicator's answer depends on that unit: see `standardDeviation`.
 */
const TALIB_EPSILON = 1e-14;

/** TA-Lib's TA_IS_ZERO. */
export function isTalibZero(value: number): boolean {
  return value > -TALIB_EPSILON && value < TALIB_EPSILON;
}
