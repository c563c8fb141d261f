import { nearest } from "../check/error-rates.ts";
import type { LiveErrorRates } from "./live-report.ts";
import { LIVE_ROWS } from "./measured-rates.ts";

const MEASURED = LIVE_ROWS.map(
  ([variants, bars, falseStop3y, falseStop10y, falseHolds10y]): LiveErrorRates => {
    return { variants, bars, falseStop3y, falseStop10y, falseHolds10y };
  },
);

/** How often the live verdict is wrong, at worst, for about this many trials and bars of the backtest. */
export function liveRatesAt(trials: number, bars: number): LiveErrorRates {
  const sizes = nearest(MEASURED, ({ variants }) => Math.log(variants / trials));
  return nearest(sizes, (rates) => Math.log(rates.bars / bars))[0]!; // it is not empty
}
