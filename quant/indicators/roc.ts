import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";

/**
 * Rate of change in percent: the close relative to the close `period` days earlier. Source: TA-Lib, ROC; as
 * there, 0 where that close is 0.
 */
export function roc(close: Float64Array, period: number): Float64Array {
  checkPeriod("ROC period", period);
  const out = blankColumn(close.length);
  for (let row = firstNumberRow(close) + period; row < close.length; row++) {
    const before = close[row - period]!;
    out[row] = before === 0 ? 0 : (close[row]! / before - 1) * 100;
  }
  return out;
}
