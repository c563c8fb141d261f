import { sampleVariance } from "simple-statistics";

/** What the Sharpe statistics need to know of a series of returns, per bar, not annualised. */
export interface SharpeMoments {
  readonly observations: number;
  /** Mean over sample standard deviation (n - 1); NaN for fewer than two returns or flat ones. */
  readonly sharpe: number;
  /** Third standardised moment of the sample (divisor n), 0 for a normal; NaN as above. */
  readonly skew: number;
  /** Fourth standardised moment of the sample (divisor n), not the excess: 3 for a normal. */
  readonly kurtosis: number;
}

/** Moments of returns. Order and scale do not matter; a flat series has none, not zeros. */
export function sharpeMoments(returns: ArrayLike<number>): SharpeMoments {
  const observations = returns.length;
  const { mean, isFlat } = meanOf(returns);
  if (observations < 2 || isFlat) return { observations, sharpe: NaN, skew: NaN, kurtosis: NaN };
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let bar = 0; bar < observations; bar++) {
    const deviation = returns[bar]! - mean;
    const square = deviation * deviation;
    second += square;
    third += square * deviation;
    fourth += square * square;
  }
  const variance = second / observations;
  return {
    observations,
    sharpe: mean / Math.sqrt(second / (observations - 1)),
    skew: third / observations / variance ** 1.5,
    kurtosis: fourth / observations / (variance * variance),
  };
}

/** Flat means equal to the last bit: rounding of the mean must not make a Sharpe of 1e16. */
function meanOf(returns: ArrayLike<number>): { mean: number; isFlat: boolean } {
  let sum = 0;
  let isFlat = true;
  for (let bar = 0; bar < returns.length; bar++) {
    sum += returns[bar]!;
    if (returns[bar] !== returns[0]) isFlat = false;
  }
  return { mean: sum / returns.length, isFlat };
}

/**
 * Variance of the trials' Sharpe ratios, the V of the deflated Sharpe ratio: sample variance
 * (n - 1) over the trials that have one. Flat trials (NaN) are left out. NaN for fewer than two.
 */
export function trialsSharpeVariance(sharpes: ArrayLike<number>): number {
  const known = Array.from(sharpes).filter((sharpe) => !Number.isNaN(sharpe));
  return known.length < 2 ? NaN : sampleVariance(known);
}
