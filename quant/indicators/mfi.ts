import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { slidingSum } from "./sliding-sum.ts";
import { typicalPrice } from "./typical-price.ts";

/** TA-Lib's threshold, in dollars of money flow, below which a window counts as untraded. */
const LEAST_FLOW = 1;

/**
 * Money flow index, 0 to 100: of the dollars traded in the last `period` days, the share traded on days
 * whose typical price rose. Source: TA-Lib, MFI. A day without a change counts for neither side; a window
 * with less than a dollar of flow is 0, as there.
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
    const flow = prices[row]! * volume[row]!;
    rises[row] = change > 0 ? flow : 0;
    falls[row] = change < 0 ? flow : 0;
  }
  const out = slidingSum(rises, period);
  const fallen = slidingSum(falls, period);
  for (let row = 0; row < out.length; row++) {
    const total = out[row]! + fallen[row]!;
    out[row] = total < LEAST_FLOW ? 0 : 100 * (out[row]! / total);
  }
  return out;
}
