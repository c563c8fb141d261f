import { middleOf } from "./column.ts";
import { sma } from "./sma.ts";

const FAST_PERIOD = 5;
const SLOW_PERIOD = 34;

/**
 * Awesome oscillator: 5-day minus 34-day simple average of the day's middle, (high + low) / 2. Source: B.
 * Williams, "New Trading Dimensions" (1998); TradingView, Awesome Oscillator.
 */
export function awesomeOscillator(high: Float64Array, low: Float64Array): Float64Array {
  const middle = middleOf(high, low);
  const fast = sma(middle, FAST_PERIOD);
  const out = sma(middle, SLOW_PERIOD);
  for (let row = 0; row < out.length; row++) out[row] = fast[row]! - out[row]!;
  return out;
}
