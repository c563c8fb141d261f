import type { Month } from "../month.ts";
import { mean, quantile, variance } from "../sample-statistics.ts";
import { INDEX_INTERVAL_DEVIATIONS } from "./index-definition.ts";
import { clipped, type IndexValue } from "./index-value.ts";

export type NullBand = ReturnType<typeof nullBand>;
export type IndexStanding = ReturnType<typeof standingOf>;

/** Share of the draws below a range, and above it. */
const BAND_TAIL = 0.05;
/** Share of values that luck alone puts outside their range. */
export const OUTSIDE_BY_LUCK = 2 * BAND_TAIL;

/** The figures of one permutation that go into a band. */
export interface IndexDraw {
  readonly value: number;
  readonly tuning: number;
  readonly shopping: number;
}

export function drawOf({ value, tuning, shopping }: IndexValue): IndexDraw {
  return { value, tuning: tuning.score, shopping: shopping.score };
}

/**
 * The index and its layers when the order of days means nothing, as ranges over permutations of the days of the
 * month's own panel. Needs at least two draws: one has no spread.
 */
export function nullBand(month: Month, draws: readonly IndexDraw[]) {
  if (draws.length < 2) throw new RangeError(`a band needs at least 2 draws, got ${draws.length}`);
  return {
    month,
    draws: draws.length,
    value: nullRange(draws.map((draw) => draw.value)),
    tuning: nullRange(draws.map((draw) => draw.tuning)),
    shopping: nullRange(draws.map((draw) => draw.shopping)),
  };
}

/** The 5 to 95 % range of draws, their mean and their sample standard deviation. */
export function nullRange(values: readonly number[]) {
  return {
    low: quantile(values, BAND_TAIL),
    high: quantile(values, 1 - BAND_TAIL),
    mean: mean(values),
    deviation: Math.sqrt(variance(values)),
  };
}

/**
 * How a value compares with a coin flip: its 5 to 95 % interval, and whether it lies outside the null's range,
 * which is null where either is unknown. The null's standard deviation also serves as the value's own
 * (`docs/methods.md`, "The band"). In simulations the two are alike (3.2 without an edge, 3.0 with one),
 * whereas resampling days or coins as if they were independent understates the spread.
 */
export function standingOf(value: number, band: NullBand) {
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
