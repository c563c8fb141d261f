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
  [13, 250, 0.059, 0.0465, 0.143, 0.375, 0.2555, 400],
  [13, 750, 0.061, 0.118, 0.524, 0.3315, 0.0905, 400],
  [13, 1500, 0.058, 0.258, 0.8575, 0.22, 0.014, 400],
  [200, 250, 0.063, 0.03, 0.035, 0.445, 0.42, 100],
  [200, 750, 0.077, 0.045, 0.18, 0.555, 0.285, 100],
  [200, 1500, 0.08, 0.085, 0.595, 0.46, 0.095, 100],
];
