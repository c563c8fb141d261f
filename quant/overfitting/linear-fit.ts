import { mean } from "../sample-statistics.ts";

/** Least-squares line of y on x. All NaN when x has no two different values. */
export interface LinearFit {
  readonly slope: number;
  readonly intercept: number;
  /** Share of the variance of y that the line explains; NaN when y does not vary. */
  readonly rSquared: number;
}

export function linearFit(x: Float64Array, y: Float64Array): LinearFit {
  const xMean = mean(x);
  const yMean = mean(y);
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let k = 0; k < x.length; k++) {
    const dx = x[k]! - xMean;
    const dy = y[k]! - yMean;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (!(xx > 0)) return { slope: NaN, intercept: NaN, rSquared: NaN };
  const slope = xy / xx;
  return {
    slope,
    intercept: yMean - slope * xMean,
    rSquared: yy > 0 ? (xy * xy) / (xx * yy) : NaN,
  };
}
