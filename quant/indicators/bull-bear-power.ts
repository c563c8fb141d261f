import { blankColumn } from "./column.ts";
import { ema } from "./ema.ts";
import { checkPeriod } from "./period.ts";

interface BullBearPower {
  /** High minus EMA of the close. */
  readonly bull: Float64Array;
  /** Low minus EMA of the close. */
  readonly bear: Float64Array;
}

/** Bull and bear power. Source: A. Elder, "Trading for a Living" (1993); TradingView, Bull Bear Power. */
export function bullBearPower(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period: number,
): BullBearPower {
  checkPeriod("bull bear power period", period);
  const average = ema(close, period);
  const bull = blankColumn(close.length);
  const bear = blankColumn(close.length);
  for (let row = 0; row < close.length; row++) {
    bull[row] = high[row]! - average[row]!;
    bear[row] = low[row]! - average[row]!;
  }
  return { bull, bear };
}
