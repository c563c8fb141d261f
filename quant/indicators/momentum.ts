import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";

/** Momentum: the close minus the close `period` days earlier. Source: TA-Lib, MOM. */
export function momentum(close: Float64Array, period: number): Float64Array {
  checkPeriod("momentum period", period);
  const out = blankColumn(close.length);
  for (let row = firstNumberRow(close) + period; row < close.length; row++) {
    out[row] = close[row]! - close[row - period]!;
  }
  return out;
}
