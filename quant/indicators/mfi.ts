import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { slidingSum } from "./sliding-sum.ts";
import { isTalibZero } from "./talib-zero.ts";
import { typicalPrice } from "./typical-price.ts";

/**
 * Money flow index, 0 to 100: of the dollars traded in the last `period` days, the share traded on days
 * whose typical price rose. Source: TA-Lib 0.8, MFI. A day whose change is only the rounding error of the
 * two means counts for neither side. A window whose prices stood still is 0; one with little flow is treated
 * like any other. Unlike TA-Lib's, which is 0 and so reads as oversold, it is NaN where nothing was traded in
 * the window.
 */
// oxlint-disable-next-line max-params -- four columns of one bar and a number, as TA-Lib's MFI
export function mfi(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  volume: Float64Array,
  period: number,
): Float64Array {
  checkPeriod("MFI period", period);
  const prices = typicalPrice(high, low, close);
  const rises = blankColumn(close.length);
  const falls = blankColumn(close.length);
  for (let row = firstNumberRow(prices, volume) + 1; row < close.length; row++) {
    const change = prices[row]! - prices[row - 1]!;
    const still = isTalibZero(change, prices[row]! + prices[row - 1]!);
    const flow = still ? 0 : prices[row]! * volume[row]!;
    rises[row] = change > 0 ? flow : 0;
    falls[row] = change < 0 ? flow : 0;
  }
  const out = slidingSum(rises, period);
  const fallen = slidingSum(falls, period);
  const traded = slidingSum(volume, period); // exactly 0 where every volume is
  for (let row = 0; row < out.length; row++) {
    const total = out[row]! + fallen[row]!;
    if (traded[row] === 0) out[row] = NaN;
    else out[row] = total === 0 ? 0 : 100 * (out[row]! / total);
  }
  return out;
}
