import { logNormalCdf } from "../../../quant/overfitting/normal-cdf.ts";
import { normalQuantileOfLog } from "../../../quant/overfitting/normal-quantile.ts";

const STEP = 1 / 64;
/** Standard deviations beyond which the density of the maximum is negligible in float64. */
const REACH = 10;
const LOG_SQRT_2PI = Math.log(2 * Math.PI) / 2;

/** Exact mean and standard deviation of the maximum of `count` independent standard normals. */
export interface NormalMaximum {
  readonly mean: number;
  readonly standardDeviation: number;
}

/**
 * Moments of the density `n phi(x) Phi(x)^(n-1)` by the trapezoidal rule, which for so smooth a function is
 * exact up to rounding. `expectedMaximum` approximates this mean.
 */
export function normalMaximum(count: number): NormalMaximum {
  const top = -normalQuantileOfLog(-Math.log(count) - Math.LN2);
  let weight = 0;
  let first = 0;
  let second = 0;
  for (let x = -REACH; x <= top + REACH; x += STEP) {
    const log = Math.log(count) - LOG_SQRT_2PI - (x * x) / 2 + (count - 1) * logNormalCdf(x);
    const density = Math.exp(log);
    weight += density;
    first += density * (x - top);
    second += density * (x - top) * (x - top);
  }
  const offset = first / weight;
  return { mean: top + offset, standardDeviation: Math.sqrt(second / weight - offset * offset) };
}
