import type { Prices } from "../bars.ts";

/** The mean of high, low and close. Source: TA-Lib, TYPPRICE. */
export function typicalPrice({ high, low, close }: Prices): Float64Array {
  return close.map((price, row) => (high[row]! + low[row]! + price) / 3);
}
