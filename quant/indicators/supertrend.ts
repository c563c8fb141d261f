import type { Prices } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { checkFactor } from "./period.ts";
import { rma } from "./rma.ts";
import { trueRange } from "./true-range.ts";

/**
 * SuperTrend: bands `multiplier` ATRs from the day's middle. Each band moves only towards the price, until
 * the previous day's close has crossed it. `value` is the band that the price has to cross: the lower one in an
 * up-trend (`direction` 1), the upper one in a down-trend (`direction` -1; TradingView has the signs reversed).
 * Source: TradingView, ta.supertrend, with ta.atr (Wilder's average of the true range, including the first
 * day's).
 *
 * As there, it begins in a down-trend, and the band before the first counts as 0, so the lower band is
 * never negative. With a range of zero both bands coincide and the trend is down.
 */
export function supertrend(prices: Prices, period: number, multiplier: number) {
  return supertrendOf(prices, rma(trueRange(prices), period), multiplier);
}

/** SuperTrend from an average true range that is already known. */
export function supertrendOf(
  { high, low, close }: Prices,
  averageRange: Float64Array,
  multiplier: number,
) {
  checkFactor("SuperTrend multiplier", multiplier);
  const value = blankColumn(close.length);
  const direction = blankColumn(close.length);
  const first = firstNumberRow(averageRange);
  let lower = 0;
  let upper = 0;
  for (let row = first; row < close.length; row++) {
    const middle = (high[row]! + low[row]!) / 2;
    const before = row > 0 ? close[row - 1]! : NaN;
    const lowerBefore = lower;
    const upperBefore = upper;
    lower = middle - multiplier * averageRange[row]!;
    upper = middle + multiplier * averageRange[row]!;
    if (!(lower > lowerBefore || before < lowerBefore)) lower = lowerBefore;
    if (row > first && !(upper < upperBefore || before > upperBefore)) upper = upperBefore;
    const wasDown = row === first || value[row - 1] === upperBefore;
    const up = row > first && (wasDown ? close[row]! > upper : !(close[row]! < lower));
    direction[row] = up ? 1 : -1;
    value[row] = up ? lower : upper;
  }
  return { value, direction };
}
