import { nearestRates } from "../check/error-rates.ts";
import { LIVE_ROWS } from "./measured-rates.ts";

const MEASURED = LIVE_ROWS.map(([variants, bars, falseStop3y, falseStop10y, falseHolds10y]) => {
  return { variants, bars, falseStop3y, falseStop10y, falseHolds10y };
});

/** How often the live verdict is wrong, at worst, as measured for about this size of the backtest. */
export function liveRatesAt(trials: number, bars: number) {
  return nearestRates(MEASURED, { trials, bars });
}
