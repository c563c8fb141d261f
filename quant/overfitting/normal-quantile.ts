import { ONE_OVER_SQRT_2PI, tailFactor } from "./normal-cdf.ts";

/**
 * Standard normal quantiles to full double precision, tails included.
 * The centre is the first range of M. J. Wichura's PPND16, "Algorithm AS 241", Applied Statistics
 * 37 (1988), which is good to 1e-16. The tails are solved on the scale of the logarithm, where a
 * probability of 1e-90, or one that is no float64 at all, is a number like any other.
 */
const CENTRE_NUMERATOR = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
];
const CENTRE_DENOMINATOR = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
];
const CENTRE_LIMIT = 0.425;
const LOG_CENTRE_EDGE = Math.log(0.5 - CENTRE_LIMIT);
/** The tail's steps converge quadratically, in three or four. */
const MAX_STEPS = 50;

/** z with P(Z <= z) = p; minus infinity for 0, infinity for 1, NaN outside. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return NaN;
  const area = p - 0.5;
  if (Math.abs(area) <= CENTRE_LIMIT) return centreQuantile(area);
  return area < 0 ? tailQuantile(Math.log(p)) : -tailQuantile(Math.log(1 - p));
}

/** z with P(0 <= Z <= z) = area: the quantile of 1/2 + area with the digits a tiny area has. */
export function normalQuantileOfArea(area: number): number {
  return Math.abs(area) <= CENTRE_LIMIT ? centreQuantile(area) : normalQuantile(0.5 + area);
}

/** z with ln P(Z <= z) = logP, also where the probability itself is less than any float64. */
export function normalQuantileOfLog(logP: number): number {
  return logP < LOG_CENTRE_EDGE ? tailQuantile(logP) : normalQuantile(Math.exp(logP));
}

function centreQuantile(area: number): number {
  const r = CENTRE_LIMIT * CENTRE_LIMIT - area * area;
  let numerator = 0;
  let denominator = 0;
  for (let k = 0; k < CENTRE_NUMERATOR.length; k++) {
    numerator = numerator * r + CENTRE_NUMERATOR[k]!;
    denominator = denominator * r + CENTRE_DENOMINATOR[k]!;
  }
  return (area * numerator) / denominator;
}

/**
 * Newton's method on ln P(Z <= z), which rises and is concave: wherever the first step starts it
 * ends below the root, and from there steps only go up to it, and are over when one fails to.
 */
function tailQuantile(logP: number): number {
  if (logP === -Infinity) return -Infinity;
  let z = -Math.sqrt(-2 * logP - Math.log(-4 * Math.PI * logP)); // first order of the tail
  for (let step = 0; step < MAX_STEPS; step++) {
    const factor = tailFactor(-z);
    const slope = ONE_OVER_SQRT_2PI / factor;
    const next = z - (Math.log(factor) - (z * z) / 2 - logP) / slope;
    if (step > 0 && !(next > z)) break;
    z = next;
  }
  return z;
}
