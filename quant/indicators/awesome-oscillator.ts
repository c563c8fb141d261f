import type { Bars } from "../bars.ts";
import { differenceOf, middleOf } from "./column.ts";
import { sma } from "./sma.ts";

/**
 * Awesome oscillator: 5-day minus 34-day simple average of the day's middle, (high + low) / 2. Source: B.
 * Williams, "New Trading Dimensions" (1998); TradingView, Awesome Oscillator.
 */
export function awesomeOscillator({ high, low }: Pick<Bars, "high" | "low">): Float64Array {
  const middle = middleOf(high, low);
  return differenceOf(sma(middle, 5), sma(middle, 34));
}
