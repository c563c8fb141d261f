import { blankColumn } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { rollingMax, rollingMin } from "./rolling-extreme.ts";

export interface IchimokuPeriods {
  readonly conversion: number;
  readonly base: number;
  readonly spanB: number;
}

export interface Ichimoku {
  /** Conversion line (tenkan-sen): middle of the range of the last `conversion` days. */
  readonly conversion: Float64Array;
  /** Base line (kijun-sen): middle of the range of the last `base` days. */
  readonly base: Float64Array;
  /** Leading span A (senkou A): mean of conversion and base line. */
  readonly lead1: Float64Array;
  /** Leading span B (senkou B): middle of the range of the last `spanB` days. */
  readonly lead2: Float64Array;
}

/**
 * Ichimoku Kinko Hyo. Source: G. Hosoda (1969); TradingView, Ichimoku Cloud. The leading spans are on the
 * day they are computed; drawing them `base` days to the right, as charts do, is up to the reader.
 */
export function ichimoku(
  high: Float64Array,
  low: Float64Array,
  periods: IchimokuPeriods,
): Ichimoku {
  checkPeriod("Ichimoku conversion period", periods.conversion);
  checkPeriod("Ichimoku base period", periods.base);
  checkPeriod("Ichimoku span B period", periods.spanB);
  const conversion = rangeMiddle(high, low, periods.conversion);
  const base = rangeMiddle(high, low, periods.base);
  const lead1 = blankColumn(high.length);
  for (let row = 0; row < high.length; row++) lead1[row] = (conversion[row]! + base[row]!) / 2;
  return { conversion, base, lead1, lead2: rangeMiddle(high, low, periods.spanB) };
}

function rangeMiddle(high: Float64Array, low: Float64Array, period: number): Float64Array {
  const out = rollingMax(high, period);
  const lowest = rollingMin(low, period);
  for (let row = 0; row < out.length; row++) out[row] = (out[row]! + lowest[row]!) / 2;
  return out;
}
