import { nearest } from "../check/error-rates.ts";
import type { LiveErrorRates } from "./live-report.ts";
import { MEASURED_LIVE_RATES } from "./measured-rates.ts";

/** How often the live verdict is wrong, at worst, for about this many trials and bars of the backtest. */
export function liveRatesAt(trials: number, bars: number): LiveErrorRates {
  const sizes = nearest(MEASURED_LIVE_RATES, ({ variants }) => Math.log(variants / trials));
  return nearest(sizes, (rates) => Math.log(rates.bars / bars))[0]!; // it is not empty
}
