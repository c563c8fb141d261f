import type { Bars, Prices } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { slidingSum } from "./sliding-sum.ts";
import { isTalibZero } from "./talib-zero.ts";
import { typicalPrice } from "./typical-price.ts";

/**
 * Money flow index, 0 to 100: of the dollars traded in the last `period` days, the share traded on days
 * whose typical price rose. Source: TA-Lib 0.8, MFI. A day whose change is only the rounding error of the
 * two means counts for neither side. A window whose prices stood still is 0; one with little flow is treated
 * like any other. Where nothing was traded in the window it is NaN. TA-Lib has 0 there, which reads as oversold.
 */
export function mfi(bars: Prices & Pick<Bars, "volume">, period: number): Float64Array {
  const { volume } = bars;
  const prices = typicalPrice(bars);
  const rises = blankColumn(prices.length);
  const falls = blankColumn(prices.length);
  for (let row = firstNumberRow(prices, volume) + 1; row < prices.length; row++) {
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
