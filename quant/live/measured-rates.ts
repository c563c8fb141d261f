import type { LiveErrorRates } from "./live-report.ts";

/** Made from the table of docs/live-calibration.md by `make calibration ARGS=--write`. */
export const MEASURED_LIVE_RATES: readonly LiveErrorRates[] = [
  {
    variants: 1,
    bars: 750,
    falseStop3y: 0.036,
    falseStop10y: 0.036,
    falseHolds10y: 0.059,
  },
  {
    variants: 13,
    bars: 750,
    falseStop3y: 0.06,
    falseStop10y: 0.06,
    falseHolds10y: 0.08,
  },
  {
    variants: 200,
    bars: 750,
    falseStop3y: 0.033,
    falseStop10y: 0.05,
    falseHolds10y: 0.05,
  },
  {
    variants: 1,
    bars: 250,
    falseStop3y: 0.025,
    falseStop10y: 0.025,
    falseHolds10y: 0.058,
  },
  {
    variants: 13,
    bars: 250,
    falseStop3y: 0.033,
    falseStop10y: 0.033,
    falseHolds10y: 0.05,
  },
  {
    variants: 200,
    bars: 250,
    falseStop3y: 0.025,
    falseStop10y: 0.05,
    falseHolds10y: 0.075,
  },
  {
    variants: 1,
    bars: 1500,
    falseStop3y: 0.042,
    falseStop10y: 0.042,
    falseHolds10y: 0.058,
  },
  {
    variants: 13,
    bars: 1500,
    falseStop3y: 0.083,
    falseStop10y: 0.1,
    falseHolds10y: 0.067,
  },
  {
    variants: 200,
    bars: 1500,
    falseStop3y: 0.05,
    falseStop10y: 0.075,
    falseHolds10y: 0.1,
  },
];
