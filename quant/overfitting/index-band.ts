import type { Month } from "../month.ts";
import { mean, quantile, variance } from "../sample-statistics.ts";
import { INDEX_INTERVAL_DEVIATIONS } from "./index-definition.ts";
import type { IndexValue } from "./index-value.ts";
import { clipped } from "./index-value.ts";

/** The range of one figure of the index under a coin flip. */
interface NullRange {
  readonly low: number;
  readonly high: number;
  readonly mean: number;
  /** Sample standard deviation of the draws. */
  readonly deviation: number;
}

/** The index when the order of days means nothing, estimated by permuting the days of a month's own panel. */
export interface NullBand {
  /** The month whose panel is permuted. */
  readonly month: Month;
  readonly draws: number;
  /** 5 to 95 % of the draws. */
  readonly value: NullRange;
  readonly tuning: NullRange;
  readonly shopping: NullRange;
}

/** How certain a value of the index is. */
export interface IndexStanding {
  /** Value -/+ 1.645 standard deviations of the null, a 5 to 95 % interval; NaN without draws. */
  readonly low: number;
  readonly high: number;
  /** Whether the value lies outside the null's 5 to 95 % range; null without draws or without a value. */
  readonly significant: boolean | null;
}

/** Share of the draws below a range, and above it. */
export const BAND_TAIL = 0.05;

/** Needs at least two draws: one has no spread. */
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

/** The figures of one permutation that go into a band. */
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
    low: quantile(values, BAND_TAIL),
    high: quantile(values, 1 - BAND_TAIL),
    mean: mean(values),
    deviation: Math.sqrt(variance(values)),
  };
}

/**
 * How a value compares with a coin flip. The null's standard deviation also serves as the value's own
 * (`docs/methods.md`, "The band"). In simulations the two are alike (3.2 without an edge, 3.0 with one),
 * whereas resampling days or coins as if they were independent understates the spread.
 */
export function standingOf(value: number, band: NullBand): IndexStanding {
  const reach = INDEX_INTERVAL_DEVIATIONS * band.value.deviation;
  const { low, high } = band.value;
  const isKnown = ![value, low, high].some(Number.isNaN);
  return {
    low: clipped(value - reach),
    high: clipped(value + reach),
    significant: isKnown ? value < low || value > high : null,
  };
}

/**
 * Share of permutations with an index this low or lower: how often luck alone looks as persistent. NaN for a
 * month without a value; permutations without one are left out.
 */
export function luckShare(value: number, draws: readonly IndexDraw[]): number {
  if (Number.isNaN(value)) return NaN;
  const known = draws.filter((draw) => !Number.isNaN(draw.value));
  return mean(known.map((draw) => (draw.value <= value ? 1 : 0)));
}
