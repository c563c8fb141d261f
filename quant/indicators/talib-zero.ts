/**
 * What TA-Lib takes for zero, in the unit of what it is measured against: TA_EPSILON of ta_utility.h.
 * It is about 45 rounding errors of a double.
 */
const TALIB_EPSILON = 1e-14;

/**
 * Whether a difference is nothing but rounding beside the numbers it was taken from, whose size is
 * `scale` (as a rule |a| + |b|): a market that stood still, and not a small move. Source: TA-Lib 0.8,
 * TA_IS_ZERO_SCALED of ta_utility.h.
 *
 * Being relative it gives a coin at a millionth of a dollar the answer of one at a hundred thousand. In
 * 0.6 the test was against a fixed 1e-14 in the unit of the values, and zeroed what is quoted small.
 */
export function isTalibZero(difference: number, scale: number): boolean {
  return Math.abs(difference) <= TALIB_EPSILON * scale;
}
