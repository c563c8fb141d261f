/** The members of `LiveErrorRates`. `make calibration ARGS=--write` makes the rows below, with the table of docs/live-calibration.md. */
export type RatesRow = readonly [
  variants: number,
  bars: number,
  falseStop3y: number,
  falseStop10y: number,
  falseHolds10y: number,
];

export const LIVE_ROWS: readonly RatesRow[] = [
  [1, 750, 0.036, 0.036, 0.059],
  [13, 750, 0.06, 0.06, 0.08],
  [200, 750, 0.033, 0.05, 0.05],
  [1, 250, 0.025, 0.025, 0.058],
  [13, 250, 0.033, 0.033, 0.05],
  [200, 250, 0.025, 0.05, 0.075],
  [1, 1500, 0.042, 0.042, 0.058],
  [13, 1500, 0.083, 0.1, 0.067],
  [200, 1500, 0.05, 0.075, 0.1],
];
