import type { Bars } from "../bars.ts";
import { middleOf } from "./column.ts";
import { rollingMax, rollingMin } from "./rolling-extreme.ts";

/**
 * Ichimoku Kinko Hyo. The conversion line (tenkan-sen), the base line (kijun-sen) and leading span B (senkou B,
 * `lead2`) are the middles of the range of the last `conversion`, `base` and `spanB` days. Leading span A
 * (senkou A, `lead1`) is the mean of conversion and base line. Source: G. Hosoda (1969); TradingView, Ichimoku
 * Cloud. The leading spans are on the day on which they are computed. Charts draw them `base` days to the right.
 */
export function ichimoku(
  { high, low }: Pick<Bars, "high" | "low">,
  conversion: number,
  base: number,
  spanB: number,
) {
  const middle = (period: number) => middleOf(rollingMax(high, period), rollingMin(low, period));
  const lines = { conversion: middle(conversion), base: middle(base), lead2: middle(spanB) };
  return { ...lines, lead1: middleOf(lines.conversion, lines.base) };
}
