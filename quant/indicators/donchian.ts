import type { Bars } from "../bars.ts";
import { middleOf } from "./column.ts";
import { rollingMax, rollingMin } from "./rolling-extreme.ts";

/**
 * Donchian channel: highest high and lowest low of the last `period` days, today included, and their
 * middle. Source: TradingView, Donchian Channels; TA-Lib, MAX of highs and MIN of lows.
 */
export function donchian({ high, low }: Pick<Bars, "high" | "low">, period: number) {
  const upper = rollingMax(high, period);
  const lower = rollingMin(low, period);
  return { upper, middle: middleOf(upper, lower), lower };
}
