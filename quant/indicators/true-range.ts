import type { Prices } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";

/**
 * True range: the day's range, extended to the previous day's close. The first day has no previous one and
 * holds high minus low. Source: J. W. Wilder (1978); TradingView, ta.tr(true). TA-Lib's TRANGE is the same
 * from the second day on.
 */
export function trueRange({ high, low, close }: Prices): Float64Array {
  const out = blankColumn(close.length);
  const first = firstNumberRow(high, low, close);
  for (let row = first; row < close.length; row++) {
    const range = high[row]! - low[row]!;
    const before = close[row - 1]!; // undefined on the first row, which does not read it
    const fromBefore = Math.max(Math.abs(high[row]! - before), Math.abs(low[row]! - before));
    out[row] = row === first ? range : Math.max(range, fromBefore);
  }
  return out;
}
