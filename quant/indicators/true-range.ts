import { blankColumn, firstNumberRow } from "./column.ts";

/**
 * True range: the day's range, extended to the previous day's close. The first day has no previous one and
 * holds high minus low. Source: J. W. Wilder (1978); TradingView, ta.tr(true). TA-Lib's TRANGE is the same
 * from the second day on.
 */
export function trueRange(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
): Float64Array {
  const out = blankColumn(close.length);
  const first = firstNumberRow(high, low, close);
  for (let row = first; row < close.length; row++) {
    const range = high[row]! - low[row]!;
    if (row === first) {
      out[row] = range;
      continue;
    }
    const before = close[row - 1]!;
    out[row] = Math.max(range, Math.abs(high[row]! - before), Math.abs(low[row]! - before));
  }
  return out;
}
