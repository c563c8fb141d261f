import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { rollingMax, rollingMin } from "./rolling-extreme.ts";

/**
 * Williams %R: where the close stands between highest high (0) and lowest low (-100) of the last
 * `period` days. Source: TA-Lib, WILLR. A window without any range is 0, as there.
 */
export function williamsR(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period: number,
): Float64Array {
  checkPeriod("Williams %R period", period);
  const highest = rollingMax(high, period);
  const lowest = rollingMin(low, period);
  const out = blankColumn(close.length);
  for (let row = firstNumberRow(highest, lowest, close); row < close.length; row++) {
    const range = highest[row]! - lowest[row]!;
    out[row] = range === 0 ? 0 : (close[row]! - highest[row]!) / (range / 100);
  }
  return out;
}
