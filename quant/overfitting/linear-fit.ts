import { mean } from "../sample-statistics.ts";

/**
 * Least-squares line of y on x, and the share of the variance of y that it explains. All NaN when x has no two
 * different values; `rSquared` also when y does not vary.
 */
export function linearFit(x: Float64Array, y: Float64Array) {
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
  const rSquared = yy > 0 ? (xy * xy) / (xx * yy) : NaN;
  return { slope, intercept: yMean - slope * xMean, rSquared };
}
