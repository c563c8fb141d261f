import { rsi } from "./rsi.ts";
import { stochastic } from "./stochastic.ts";

/**
 * Stochastic RSI: the slow stochastic of the RSI. Source: T. Chande and S. Kroll, "The New Technical
 * Trader" (1994), smoothed like TradingView's built-in. It equals TA-Lib's STOCH of its RSI. (TA-Lib's own
 * STOCHRSI is the same without the smoothing of %K.)
 */
export function stochRsi(
  close: Float64Array,
  rsiPeriod: number,
  ...ofRsi: [kPeriod: number, kSmoothing: number, dSmoothing: number]
) {
  const strength = rsi(close, rsiPeriod);
  return stochastic({ high: strength, low: strength, close: strength }, ...ofRsi);
}
