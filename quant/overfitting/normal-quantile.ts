import { ONE_OVER_SQRT_2PI, polynomial, tailFactor } from "./normal-cdf.ts";

/**
 * Standard normal quantiles to full double precision, tails included: the three ranges of M. J. Wichura's
 * PPND16, "Algorithm AS 241", Applied Statistics 37 (1988), which are accurate to 1e-16 down to a
 * probability of 1e-316. Tails work on the logarithm, where a probability of 1e-90 is an ordinary number.
 * Quantiles of probabilities too small for float64 are found by Newton's method.
 */
const CENTRE_NUMERATOR = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
];
const CENTRE_DENOMINATOR = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
];
const TAIL_NUMERATOR = [
  7.745450142783414e-4, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684,
  3.6478483247632045, 5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const TAIL_DENOMINATOR = [
  1.0507500716444169e-9, 5.475938084995345e-4, 0.015198666563616457, 0.14810397642748008,
  0.6897673349851, 1.6763848301838038, 2.053191626637759, 1,
];
const FAR_NUMERATOR = [
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
];
const FAR_DENOMINATOR = [
  2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 7.868691311456133e-4,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
];
/** In sqrt(-ln p): where the two tail ranges end, and the offset subtracted in each. */
const TAIL_END = 5;
const TAIL_FROM = 1.6;
const FAR_END = 27;
const CENTRE_LIMIT = 0.425;
const LOG_CENTRE_EDGE = Math.log(0.5 - CENTRE_LIMIT);
/** Newton's method in the far tail converges quadratically, in three or four steps. */
const MAX_STEPS = 50;

/** z with P(Z <= z) = p; minus infinity for 0, infinity for 1, NaN outside 0 to 1. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return NaN;
  const area = p - 0.5;
  if (Math.abs(area) <= CENTRE_LIMIT) return centreQuantile(area);
  return area < 0 ? tailQuantile(Math.log(p)) : -tailQuantile(Math.log(1 - p));
}

/** z with P(0 <= Z <= z) = area: the quantile of 1/2 + area, without losing the digits of a tiny area. */
export function normalQuantileOfArea(area: number): number {
  return Math.abs(area) <= CENTRE_LIMIT ? centreQuantile(area) : normalQuantile(0.5 + area);
}

/** z with ln P(Z <= z) = logP, even where the probability itself underflows float64. */
export function normalQuantileOfLog(logP: number): number {
  return logP < LOG_CENTRE_EDGE ? tailQuantile(logP) : normalQuantile(Math.exp(logP));
}

function centreQuantile(area: number): number {
  const r = CENTRE_LIMIT * CENTRE_LIMIT - area * area;
  return area * ratio(CENTRE_NUMERATOR, CENTRE_DENOMINATOR, r);
}

function tailQuantile(logP: number): number {
  const root = Math.sqrt(-logP);
  if (root <= TAIL_END) return -ratio(TAIL_NUMERATOR, TAIL_DENOMINATOR, root - TAIL_FROM);
  if (root <= FAR_END) return -ratio(FAR_NUMERATOR, FAR_DENOMINATOR, root - TAIL_END);
  return farthestQuantile(logP);
}

function ratio(above: readonly number[], below: readonly number[], x: number): number {
  return polynomial(above, x) / polynomial(below, x);
}

/**
 * Newton's method on ln P(Z <= z), which is increasing and concave. Wherever it starts, the first step
 * lands at or below the root; later steps only move up, so it stops when one does not.
 */
function farthestQuantile(logP: number): number {
  if (logP === -Infinity) return -Infinity;
  let z = -Math.sqrt(-2 * logP - Math.log(-4 * Math.PI * logP)); // first-order approximation of the tail
  for (let step = 0; step < MAX_STEPS; step++) {
    const factor = tailFactor(-z);
    const slope = ONE_OVER_SQRT_2PI / factor;
    const next = z - (Math.log(factor) - (z * z) / 2 - logP) / slope;
    if (step > 0 && !(next > z)) break;
    z = next;
  }
  return z;
}
