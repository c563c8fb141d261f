import { gammaln } from "simple-statistics";

/** Limit on the terms of the continued fraction, which needs about twenty. */
const MAX_TERMS = 1000;
const TINY = 1e-300;

/**
 * Two-sided p-value of a t-ratio with `freedom` degrees of freedom: the regularised incomplete beta
 * function `I_x(freedom / 2, 1 / 2)` at `x = freedom / (freedom + t^2)` (DLMF 8.17).
 */
export function studentPValue(tRatio: number, freedom: number): number {
  const square = tRatio * tRatio;
  if (square === 0) return 1;
  const x = freedom / (freedom + square);
  const complement = square / (freedom + square);
  const half = freedom / 2;
  const logFront =
    gammaln(half + 0.5) -
    gammaln(half) -
    Math.log(Math.PI) / 2 +
    half * -Math.log1p(square / freedom) +
    Math.log(complement) / 2;
  const front = Math.exp(logFront);
  // The fraction converges quickly for x below the mean; above it, the complement's does.
  if (x < (half + 1) / (half + 2.5)) return (front / half) * betaFraction(half, 0.5, x);
  return 1 - 2 * front * betaFraction(0.5, half, complement);
}

/** P(T >= t), the one-sided p-value of a t-ratio, with its digits kept in the upper tail. */
export function studentUpperTail(tRatio: number, freedom: number): number {
  const half = studentPValue(tRatio, freedom) / 2;
  return tRatio >= 0 ? half : 1 - half;
}

/** Continued fraction of the incomplete beta function, DLMF 8.17.22, by Lentz's method. */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    const factor = d * c;
    fraction *= factor;
    if (Math.abs(factor - 1) < 2 * Number.EPSILON) break;
  }
  return fraction;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
