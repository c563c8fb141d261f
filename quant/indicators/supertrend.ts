import type { Bars } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { checkFactor, checkPeriod } from "./period.ts";
import { rma } from "./rma.ts";
import { trueRange } from "./true-range.ts";

interface Supertrend {
  /** The line price has to cross: below it in an up-trend, above it in a down-trend. */
  readonly value: Float64Array;
  /** +1 up-trend, -1 down-trend. (TradingView has the signs reversed.) */
  readonly direction: Float64Array;
}

/**
 * SuperTrend: bands `multiplier` ATRs from the day's middle. Each band moves only towards the price, until
 * the previous day's close has crossed it. Source: TradingView, ta.supertrend, with ta.atr (Wilder's
 * average of the true range, including the first day's).
 *
 * As there, it begins in a down-trend, and the band before the first counts as 0, so the lower band is
 * never negative. With a range of zero both bands coincide and the trend is down.
 */
// oxlint-disable-next-line max-params -- three columns of one bar and two numbers, as ta.supertrend
export function supertrend(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period: number,
  multiplier: number,
): Supertrend {
  checkPeriod("SuperTrend period", period);
  const averageRange = rma(trueRange(high, low, close), period);
  return supertrendOf({ high, low, close }, averageRange, multiplier);
}

/** The same for a known average true range. */
export function supertrendOf(
  { high, low, close }: Pick<Bars, "high" | "low" | "close">,
  averageRange: Float64Array,
  multiplier: number,
): Supertrend {
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
