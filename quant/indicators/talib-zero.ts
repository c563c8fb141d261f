/**
 * What TA-Lib takes for zero, relative to the numbers compared: TA_EPSILON of ta_utility.h, about 45
 * rounding errors of a double.
 */
const TALIB_EPSILON = 1e-14;

/**
 * Whether a difference is only rounding error of the numbers it was taken from, whose size is `scale`
 * (usually |a| + |b|): a market that did not move, not a small move. Source: TA-Lib 0.8, TA_IS_ZERO_SCALED
 * of ta_utility.h.
 *
 * Because the test is relative, a coin at a millionth of a dollar gets the same answer as one at a hundred
 * thousand. TA-Lib 0.6 tested against a fixed 1e-14 in the unit of the values, which zeroed small quotes.
 */
export function isTalibZero(difference: number, scale: number): boolean {
  return Math.abs(difference) <= TALIB_EPSILON * scale;
}
