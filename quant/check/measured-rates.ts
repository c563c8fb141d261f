/** The members of `ErrorRates`. `make calibration ARGS=--write` writes the rows below from docs/calibration.csv. */
export type RatesRow = readonly [
  variants: number,
  bars: number,
  falseSkill: number,
  power1: number,
  power2: number,
  falseLuck1: number,
  falseLuck2: number,
];

export const FAMILY_ROWS: readonly RatesRow[] = [
  [13, 250, 0.056, 0.058, 0.148, 0.423, 0.276],
  [13, 750, 0.062, 0.132, 0.55, 0.305, 0.07],
  [13, 1500, 0.061, 0.253, 0.881, 0.203, 0.007],
  [200, 250, 0.06, 0.025, 0.048, 0.57, 0.525],
  [200, 750, 0.055, 0.045, 0.198, 0.51, 0.293],
  [200, 1500, 0.078, 0.105, 0.623, 0.41, 0.073],
];
