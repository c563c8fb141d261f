/** The members of `LiveErrorRates`. `make calibration ARGS=--write` writes the rows below and docs/live-calibration.md. */
export type RatesRow = readonly [
  variants: number,
  bars: number,
  falseStop3y: number,
  falseStop10y: number,
  falseHolds10y: number,
];

export const LIVE_ROWS: readonly RatesRow[] = [
  [1, 750, 0.026, 0.031, 0.049],
  [13, 750, 0.055, 0.06, 0.043],
  [200, 750, 0.025, 0.03, 0.04],
  [1, 250, 0.022, 0.023, 0.037],
  [13, 250, 0.025, 0.033, 0.038],
  [200, 250, 0.055, 0.085, 0.04],
  [1, 1500, 0.036, 0.045, 0.038],
  [13, 1500, 0.038, 0.055, 0.048],
  [200, 1500, 0.04, 0.065, 0.065],
];
