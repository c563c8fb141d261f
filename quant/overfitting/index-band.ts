import type { Month } from "../dataset/month.ts";
import { mean, quantile, variance } from "../dataset/quantile.ts";
import { INDEX_INTERVAL_DEVIATIONS } from "./index-definition.ts";
import type { IndexValue } from "./index-value.ts";
import { clipped } from "./index-value.ts";

/** A coin flip's range of one figure of the index. */
export interface NullRange {
  readonly low: number;
  readonly high: number;
  readonly mean: number;
  /** Sample standard deviation of the draws. */
  readonly deviation: number;
}

/** What the index is when the order of days means nothing, by permuting the days of one month's panel. */
export interface NullBand {
  /** Whose panel it is. */
  readonly month: Month;
  readonly draws: number;
  /** 5 to 95 % of the draws. */
  readonly value: NullRange;
  readonly tuning: NullRange;
  readonly shopping: NullRange;
}

/** A value of the index with what is said of its certainty. */
export interface IndexStanding {
  /** 5 to 95 %: value -/+ 1.645 standard deviations of the null; NaN without draws. */
  readonly low: number;
  readonly high: number;
  /** Outside the 5 to 95 % of the null; null without draws. */
  readonly significant: boolean | null;
}

const FIFTH = 0.05;

/** At least two draws; one has no spread. */
export function nullBand(month: Month, draws: readonly IndexDraw[]): NullBand {
  if (draws.length < 2) throw new RangeError(`a band needs at least 2 draws, got ${draws.length}`);
  return {
    month,
    draws: draws.length,
    value: rangeOf(draws.map((draw) => draw.value)),
    tuning: rangeOf(draws.map((draw) => draw.tuning)),
    shopping: rangeOf(draws.map((draw) => draw.shopping)),
  };
}

/** The figures of one permutation that a band is made of. */
export interface IndexDraw {
  readonly value: number;
  readonly tuning: number;
  readonly shopping: number;
}

export function drawOf({ value, tuning, shopping }: IndexValue): IndexDraw {
  return { value, tuning: tuning.score, shopping: shopping.score };
}

function rangeOf(values: readonly number[]): NullRange {
  return {
    low: quantile(values, FIFTH),
    high: quantile(values, 1 - FIFTH),
    mean: mean(values),
    deviation: Math.sqrt(variance(values)),
  };
}

/**
 * Where a value stands against a coin flip. The spread of the null serves as the spread of the value
 * too (`docs/methods.md`, "The band"): by simulation the two are alike (3.2 without an edge, 3.0 with one), while
 * resampling days or coins as if they were independent understates it.
 */
export function standingOf(value: number, band: NullBand): IndexStanding {
  const reach = INDEX_INTERVAL_DEVIATIONS * band.value.deviation;
  return {
    low: clipped(value - reach),
    high: clipped(value + reach),
    significant: value < band.value.low || value > band.value.high,
  };
}

/** Share of permutations with an index as low: how often luck alone looks as persistent. */
export function luckShare(value: number, draws: readonly IndexDraw[]): number {
  return mean(draws.map((draw) => (draw.value <= value ? 1 : 0)));
}
