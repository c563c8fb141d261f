import type { LiveErrorRates } from "./live-report.ts";

/** Made from the table of docs/live-calibration.md by `make calibration ARGS=--write`. */
export const MEASURED_LIVE_RATES: readonly LiveErrorRates[] = [
  { variants: 1, bars: 750, falseStop3y: 0.03, falseStop10y: 0.037, falseHolds10y: 0.053 },
];
