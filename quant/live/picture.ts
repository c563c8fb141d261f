import { blockLengthFor, neededBlock } from "../check/block-length.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import { seededRandom } from "../overfitting/seeded-random.ts";
import { mean, quantile, variance } from "../sample-statistics.ts";
import { stopSharpe, type Weights } from "./evidence.ts";

const PATHS = 1_000;
const SEED = 20261127;
const DAYS_MAX = 60;
/** 5 % of a normal distribution lie this many deviations or more below its mean. */
const OTHERS_QUANTILE = 1.645;

export type Picture = ReturnType<typeof pictureOf>;
export type Fan = NonNullable<Picture["fan"]>;

interface PictureInput extends Weights {
  /** Excess returns of the claimed variant, and of the live record. */
  readonly claimed: Float64Array;
  readonly live: Float64Array;
  /** Standard deviation of a live day. */
  readonly deviation: number;
  /** Live days in a year. */
  readonly periodsPerYear: number;
}

/**
 * Sums of daily returns on some days of the live record, counted from 1: the live ones, NaN on days to come; the fan of
 * strategies as good as claimed, null where the backtest is too dependent on itself to be redrawn; the line below which
 * the claim is contradicted, and the one that is usually drawn, null without a claim.
 */
export function pictureOf(input: PictureInput) {
  const { live, claim, periodsPerYear } = input;
  const day = daysShown(live.length, periodsPerYear);
  const sums = live.slice();
  for (let row = 1; row < sums.length; row++) sums[row]! += sums[row - 1]!;
  const claims = claim > 0;
  return {
    day,
    live: day.map((count) => sums[count - 1] ?? NaN),
    fan: fanOf(input, day),
    stopLine: claims ? day.map((count) => stopLineAt(count, input)) : null,
    othersLine: claims ? day.map((count) => othersLineAt(count, input)) : null,
  };
}

/** At most 60 evenly spaced days, up to the end of the first year or of the record, with the last live day. */
function daysShown(days: number, periodsPerYear: number): readonly number[] {
  const last = Math.ceil(Math.max(days, periodsPerYear));
  const count = Math.min(DAYS_MAX, last);
  const even = Array.from({ length: count }, (_, place) =>
    Math.round(((place + 1) * last) / count),
  );
  const nearest = Math.round((days * count) / last) - 1;
  if (days < last) even[Math.min(Math.max(0, nearest), count - 2)] = days;
  return even;
}

/** The sum of k live returns at or below which the claim is contradicted. */
export function stopLineAt(count: number, of: Omit<PictureInput, "claimed" | "live">): number {
  const { deviation, periodsPerYear } = of;
  return (deviation / Math.sqrt(periodsPerYear)) * count * stopSharpe(count / periodsPerYear, of);
}

/** If the claim is exact, 1 record in 20 lies below this line on any one day, and most cross it on some day. */
function othersLineAt(count: number, of: PictureInput): number {
  const { claim, dependence, deviation, periodsPerYear } = of;
  const expected = (count * claim) / Math.sqrt(periodsPerYear);
  return deviation * (expected - OTHERS_QUANTILE * Math.sqrt(count * dependence));
}

/**
 * Quantiles of what strategies as good as claimed would show: paths of the claimed variant's own bars in circular blocks
 * (Politis and Romano 1992), at the live deviation, whose drifts are spread evenly over the claim and its error.
 */
export function fanOf(of: PictureInput, days: readonly number[]) {
  const { claimed, deviation, periodsPerYear } = of;
  const bars = claimed.length;
  const length = blockLengthFor(Math.max(Math.cbrt(bars), neededBlock(claimed)), bars);
  if (Number.isNaN(length + of.claim)) return null;
  const [centre, spread] = [mean(claimed), Math.sqrt(variance(claimed))];
  const z = claimed.map((value) => (value - centre) / spread);
  const at = days.map(() => new Float64Array(PATHS));
  for (let path = 0; path < PATHS; path++) {
    const normal = normalQuantile((path + 0.5) / PATHS);
    const drift = (of.claim + of.error * normal) / Math.sqrt(periodsPerYear);
    drawPath({ z, length, days, drift, path }, at);
  }
  const line = (p: number) => at.map((values) => deviation * quantile(values, p));
  return { p5: line(0.05), p25: line(0.25), p50: line(0.5), p75: line(0.75), p95: line(0.95) };
}

/** The sums of one path on the days, in deviations. */
function drawPath(
  of: { z: Float64Array; length: number; days: readonly number[]; drift: number; path: number },
  at: readonly Float64Array[],
): void {
  const { z, length, days, drift, path } = of;
  const random = seededRandom(SEED, path);
  let [sum, row, place] = [0, 0, 0];
  for (let count = 1; place < days.length; count++) {
    row = (count - 1) % length === 0 ? Math.floor(random() * z.length) : (row + 1) % z.length;
    sum += z[row]! + drift;
    if (count === days[place]) at[place++]![path] = sum;
  }
}
