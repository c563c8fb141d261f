import type { Prices } from "../bars.ts";
import { differenceOf } from "./column.ts";
import { ema } from "./ema.ts";

/**
 * Bull and bear power: the high and the low minus the EMA of the close. Source: A. Elder, "Trading for a Living"
 * (1993); TradingView, Bull Bear Power.
 */
export function bullBearPower({ high, low, close }: Prices, period: number) {
  const average = ema(close, period);
  return { bull: differenceOf(high, average), bear: differenceOf(low, average) };
}
