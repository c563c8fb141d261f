import type { Prices } from "../bars.ts";

/** The mean of high, low and close. Source: TA-Lib, TYPPRICE. */
export function typicalPrice({ high, low, close }: Prices): Float64Array {
  const out = new Float64Array(close.length);
  for (let row = 0; row < close.length; row++) {
    out[row] = (high[row]! + low[row]! + close[row]!) / 3;
  }
  return out;
}
