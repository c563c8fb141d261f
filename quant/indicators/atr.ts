import { firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { rma } from "./rma.ts";
import { trueRange } from "./true-range.ts";

/**
 * Average true range, Wilder's smoothing. Source: TA-Lib, ATR, which leaves out the first day's range, so
 * the first value is on row `period`. (TradingView's ta.atr includes it: `rma(trueRange(...))`.)
 */
export function atr(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period: number,
): Float64Array {
  checkPeriod("ATR period", period);
  const ranges = trueRange(high, low, close);
  const first = firstNumberRow(ranges);
  if (first < ranges.length) ranges[first] = NaN;
  return rma(ranges, period);
}
