import { rsi } from "./rsi.ts";
import { stochastic, type Stochastic } from "./stochastic.ts";

interface StochRsiPeriods {
  readonly rsiPeriod: number;
  readonly stochPeriod: number;
  readonly kSmoothing: number;
  readonly dSmoothing: number;
}

/**
 * Stochastic RSI: the slow stochastic of the RSI. Source: T. Chande and S. Kroll, "The New Technical
 * Trader" (1994), smoothed like TradingView's built-in. It equals TA-Lib's STOCH of its RSI. (TA-Lib's own
 * STOCHRSI is the same without the smoothing of %K.)
 */
export function stochRsi(
  close: Float64Array,
  { rsiPeriod, stochPeriod, kSmoothing, dSmoothing }: StochRsiPeriods,
): Stochastic {
  const strength = rsi(close, rsiPeriod);
  const periods = { kPeriod: stochPeriod, kSmoothing, dSmoothing };
  return stochastic(strength, strength, strength, periods);
}
