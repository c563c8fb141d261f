import { middleOf } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { rollingMax, rollingMin } from "./rolling-extreme.ts";

interface IchimokuPeriods {
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
  const lead2 = rangeMiddle(high, low, periods.spanB);
  return { conversion, base, lead1: middleOf(conversion, base), lead2 };
}

function rangeMiddle(high: Float64Array, low: Float64Array, period: number): Float64Array {
  return middleOf(rollingMax(high, period), rollingMin(low, period));
}
