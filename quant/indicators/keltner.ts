import type { Prices } from "../bars.ts";
import { bandsAround } from "./bollinger.ts";
import { ema } from "./ema.ts";
import { rma } from "./rma.ts";
import { trueRange } from "./true-range.ts";

/**
 * Keltner channels: EMA of the close, and `multiplier` average true ranges to each side. Source:
 * TradingView, Keltner Channels (defaults 20, 10, 2), after L. B. Raschke. The range is ta.atr: Wilder's
 * average of the true range, including the first day's. The bands begin once both parts have values.
 */
export function keltner(prices: Prices, period: number, atrPeriod: number, multiplier: number) {
  const averageRange = rma(trueRange(prices), atrPeriod);
  return bandsAround(ema(prices.close, period), averageRange, multiplier);
}
