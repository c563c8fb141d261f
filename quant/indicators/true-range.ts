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
  if (first < out.length) out[first] = high[first]! - low[first]!;
  for (let row = first + 1; row < out.length; row++) {
    const before = close[row - 1]!;
    const range = high[row]! - low[row]!;
    out[row] = Math.max(range, Math.abs(high[row]! - before), Math.abs(low[row]! - before));
  }
  return out;
}
