import type { Bars } from "../../quant/bars.ts";
import { typicalPrice } from "../../quant/indicators/typical-price.ts";

/**
 * The build the tests run is TA-Lib 0.6, whose thresholds are fixed numbers of dollars; ours are relative, those of
 * 0.8. On prices enlarged by a power of two, which changes no digit, a fixed threshold has nothing left to swallow.
 */
const ENLARGEMENT = 2 ** 40;

export function enlarged(column: Float64Array): Float64Array {
  return column.map((value) => value * ENLARGEMENT);
}

export function reduced(column: Float64Array): Float64Array {
  return column.map((value) => value / ENLARGEMENT);
}

/**
 * Typical prices in which a change that is only rounding is none: 0.8 reads them so, 0.6 compares exactly and
 * calls two days of one price a rise or a fall. Nothing else is changed.
 */
export function settledPrices({ high, low, close }: Bars): Float64Array {
  const prices = typicalPrice({ high, low, close });
  for (let row = 1; row < prices.length; row++) {
    const [before, price] = [prices[row - 1]!, prices[row]!];
    if (Math.abs(price - before) <= 1e-14 * (price + before)) prices[row] = before;
  }
  return prices;
}
