import type { Prices } from "../bars.ts";
import { firstNumberRow } from "./column.ts";
import { rma } from "./rma.ts";
import { trueRange } from "./true-range.ts";

/**
 * Average true range, Wilder's smoothing. Source: TA-Lib, ATR, which leaves out the first day's range, so
 * the first value is on row `period`. (TradingView's ta.atr includes it: `rma(trueRange(...))`.)
 */
export function atr(prices: Prices, period: number): Float64Array {
  const ranges = trueRange(prices);
  const first = firstNumberRow(ranges);
  if (first < ranges.length) ranges[first] = NaN;
  return rma(ranges, period);
}
