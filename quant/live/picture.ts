import { quantile } from "../sample-statistics.ts";
import { stopSharpe, type Weights } from "./evidence.ts";
import { eachPath } from "./paths.ts";

const DAYS_MAX = 60;
const PATHS = 1_000;
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

/** What an account of 1 became, and what it would be if the claim were contradicted today; NaN without a claim. */
export function accountOf(returns: Float64Array, { day, live, stopLine }: Picture) {
  const growth = returns.reduce((value, rate) => value * Math.max(0, 1 + rate), 1);
  const today = day.indexOf(returns.length);
  return { growth, stopGrowth: growth * Math.exp((stopLine?.[today] ?? NaN) - live[today]!) };
}

/** At most 60 evenly spaced days, up to the end of the first year or of the record, with the last live day. */
function daysShown(days: number, periodsPerYear: number): readonly number[] {
  const last = Math.ceil(Math.max(days, periodsPerYear));
  const count = Math.min(DAYS_MAX, last);
  const even = Array.from({ length: count }, (_, index) =>
    Math.round(((index + 1) * last) / count),
  );
  const nearest = Math.round((days * count) / last) - 1;
  if (days < last) even[Math.min(Math.max(0, nearest), count - 2)] = days;
  return even;
}

/** The sum of k live returns at or below which the claim is contradicted. */
export function stopLineAt(count: number, input: Omit<PictureInput, "claimed" | "live">): number {
  const { deviation, periodsPerYear } = input;
  return (
    (deviation / Math.sqrt(periodsPerYear)) * count * stopSharpe(count / periodsPerYear, input)
  );
}

/** If the claim is exact, 1 record in 20 lies below this line on any one day, and most cross it on some day. */
function othersLineAt(count: number, input: PictureInput): number {
  const { claim, dependence, deviation, periodsPerYear } = input;
  const expected = (count * claim) / Math.sqrt(periodsPerYear);
  return deviation * (expected - OTHERS_QUANTILE * Math.sqrt(count * dependence));
}

/**
 * Quantiles of what strategies as good as claimed would show, at the live deviation; null where the claimed variant is too
 * dependent on itself to be redrawn.
 */
export function fanOf(input: PictureInput, days: readonly number[]) {
  const at = days.map(() => new Float64Array(PATHS));
  const isDrawn = eachPath({ ...input, paths: PATHS }, days.at(-1)!, (path, values) => {
    let [sum, day] = [0, 0];
    for (const [index, count] of days.entries()) {
      while (day < count) sum += values[day++]!;
      at[index]![path] = sum;
    }
  });
  if (!isDrawn) return null;
  const line = (p: number) => at.map((values) => input.deviation * quantile(values, p));
  return { p5: line(0.05), p25: line(0.25), p50: line(0.5), p75: line(0.75), p95: line(0.95) };
}
