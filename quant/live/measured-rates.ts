/** The members of `LiveErrorRates`. `make calibration ARGS=--write` writes the rows below and docs/live-calibration.md. */
export type RatesRow = readonly [
  variants: number,
  bars: number,
  falseStop3y: number,
  falseStop10y: number,
  falseHolds10y: number,
  records: number,
];

export const LIVE_ROWS: readonly RatesRow[] = [
  [1, 250, 0.033, 0.042, 0.058, 120],
  [1, 750, 0.036, 0.041, 0.05, 720],
  [1, 1500, 0.05, 0.058, 0.067, 120],
  [13, 250, 0.03, 0.04, 0.042, 100],
  [13, 750, 0.053, 0.057, 0.043, 100],
  [13, 1500, 0.067, 0.067, 0.058, 100],
  [200, 250, 0.04, 0.05, 0.033, 100],
  [200, 750, 0.042, 0.042, 0.042, 100],
  [200, 1500, 0.06, 0.08, 0.075, 100],
];
