import type { Prices } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { isTalibZero } from "./talib-zero.ts";
import { trueRange } from "./true-range.ts";

/**
 * Average directional index, how strong a trend is in either direction, with both directional indicators: the
 * shares of the true range that were upward (+DI) and downward (-DI) movement. All are 0 to 100. Source: TA-Lib,
 * ADX, PLUS_DI and MINUS_DI; J. W. Wilder (1978).
 *
 * As in TA-Lib, the smoothed sums are seeded with `period - 1` days and then smoothed by Wilder's rule. The
 * DIs begin on row `period`. The ADX, seeded with the mean of `period` DX values, begins on row `2 period - 1`.
 * The DIs are 0 when the range is exactly zero. The ADX keeps its value on a day without movement, when the sum
 * of the DIs is at most 1e-14. That sum is in points, so the limit means the same at every price.
 */
export function adx(prices: Prices, period: number) {
  checkPeriod("ADX period", period, 2);
  const { high, low } = prices;
  const ranges = trueRange(prices);
  const plusDi = blankColumn(ranges.length);
  const minusDi = blankColumn(ranges.length);
  const first = firstNumberRow(ranges);
  let plusSum = 0;
  let minusSum = 0;
  let rangeSum = 0;
  for (let row = first + 1; row < ranges.length; row++) {
    const up = high[row]! - high[row - 1]!;
    const down = low[row - 1]! - low[row]!;
    const kept = row - first < period ? 1 : 1 - 1 / period;
    plusSum = plusSum * kept + (up > down && up > 0 ? up : 0);
    minusSum = minusSum * kept + (down > up && down > 0 ? down : 0);
    rangeSum = rangeSum * kept + ranges[row]!;
    if (row - first < period) continue;
    const still = rangeSum === 0;
    plusDi[row] = still ? 0 : 100 * (plusSum / rangeSum);
    minusDi[row] = still ? 0 : 100 * (minusSum / rangeSum);
  }
  return { adx: averageIndex(plusDi, minusDi, period), plusDi, minusDi };
}

/** Wilder's average of DX = 100 |+DI - -DI| / (+DI + -DI). */
function averageIndex(plusDi: Float64Array, minusDi: Float64Array, period: number): Float64Array {
  const out = blankColumn(plusDi.length);
  const first = firstNumberRow(plusDi);
  let average = 0;
  for (let row = first; row < plusDi.length; row++) {
    const total = plusDi[row]! + minusDi[row]!;
    const moved = !isTalibZero(total, 1);
    const index = moved ? 100 * (Math.abs(plusDi[row]! - minusDi[row]!) / total) : 0;
    if (row - first < period) average += index / period;
    else if (moved) average += (index - average) / period;
    if (row - first >= period - 1) out[row] = average;
  }
  return out;
}
