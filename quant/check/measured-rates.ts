/** The members of `ErrorRates`. `make calibration ARGS=--write` writes the rows below from docs/calibration.csv. */
export type RatesRow = readonly [
  variants: number,
  bars: number,
  falseSkill: number,
  power1: number,
  power2: number,
  falseLuck1: number,
  falseLuck2: number,
  panels: number,
];

export const FAMILY_ROWS: readonly RatesRow[] = [
  [13, 250, 0.065, 0.04, 0.11, 0.37, 0.21, 100],
  [13, 750, 0.065, 0.11, 0.48, 0.355, 0.08, 100],
  [13, 1500, 0.07, 0.25, 0.85, 0.245, 0.015, 100],
  [200, 250, 0.05, 0.03, 0.035, 0.445, 0.42, 100],
  [200, 750, 0.08, 0.045, 0.18, 0.555, 0.285, 100],
  [200, 1500, 0.09, 0.085, 0.595, 0.46, 0.095, 100],
];
