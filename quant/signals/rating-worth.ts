import { mean, quantile, variance } from "../sample-statistics.ts";
import { nameOfScore, type RatingName } from "./rating.ts";

/** Raise this when the same prices would give other rows. */
export const RATING_WORTH_METHOD = 1;
/** Days after a rating over which its worth is counted. */
export const WORTH_DAYS = 30;
export const SHIFTS = 500;
/** Least number of days by which ratings are shifted, in either direction of the circle. */
export const SHIFT_DAYS_MIN = 90;

const CLASSES: readonly RatingName[] = ["strong_sell", "sell", "neutral", "buy", "strong_buy"];
/** Share of the shifts below the band of a class, and above it. */
const TAIL = 0.05;
const LEVEL = 0.95;

/** A coin's ratings and what followed, one row a day. NaN is "none". */
export interface RatedCoin {
  readonly firstDay: number;
  readonly scores: ArrayLike<number>;
  /** Change of the close over the 30 days after; NaN where they are not over. */
  readonly returns: ArrayLike<number>;
}

export type RatingWorth = NonNullable<ReturnType<typeof ratingWorth>>;
export type ClassWorth = RatingWorth["classes"][number];

/** Change of the close over the next 30 days; NaN for the last 30. */
export function returnsAfter(close: Float64Array): Float64Array {
  return close.map((from, row) => (close[row + WORTH_DAYS] ?? NaN) / from - 1);
}

/**
 * What the rating was worth: the return of the next 30 days less the board's mean, by class of rating.
 *
 * The null distribution comes from 500 circular shifts of all coins' ratings together, evenly spaced from 90 days on.
 * A shift keeps how long ratings last and how coins move together, but takes away their relation to the days they are
 * compared with. A young coin has fewer days on which both are known, so the bands are rather too wide. Only a class
 * beyond `bar`, the maxima over all classes, differs from luck.
 *
 * Undefined where the history is too short to shift, or too few coins to differ from their mean.
 */
export function ratingWorth(coins: readonly RatedCoin[]) {
  const table = tableOf(coins);
  const offsets = shiftsOf(table.days);
  const own = sumsOf(table, 0);
  if (offsets.length < 2) return undefined;
  const shifted = offsets.map((offset) => sumsOf(table, offset).map(meanOf));
  const nulls = CLASSES.map((_, place) => nullOf(shifted.map((means) => means[place]!)));
  const distance = (value: number, place: number) => {
    const { centre, deviation } = nulls[place]!; // one per class
    return (value - centre) / deviation;
  };
  const largest = (means: readonly number[]) =>
    Math.max(0, ...means.map((value, place) => Math.abs(distance(value, place)) || 0)); // a class may be empty
  const maxima = shifted.map(largest);
  const bar = quantile(maxima, LEVEL);
  if (!(bar > 0)) return undefined;
  const means = own.map(meanOf);
  const reached = maxima.filter((value) => value >= largest(means)).length;
  return {
    classes: CLASSES.map((rating, place) => {
      const { count, above, raw } = own[place]!; // one per class
      const { low, high } = nulls[place]!;
      return {
        rating,
        /** Coins times days. */
        observations: count,
        meanReturn: raw / count,
        /** Mean of the return less the board's mean over the same days. */
        meanExcess: means[place]!,
        /** Share of the observations whose return is above the board's mean. */
        shareAbove: above / count,
        /** 5 to 95 % of the mean excess when ratings are shifted in time. */
        low,
        high,
        /** Distance of the mean excess from the mean of the shifts, in their deviations. */
        deviations: distance(means[place]!, place),
      };
    }),
    coins: coins.length,
    firstDay: table.firstDay,
    lastDay: table.firstDay + table.days - 1,
    shifts: offsets.length,
    /** 95 % quantile, over the shifts, of the largest deviation of any class. */
    bar,
    /** (1 + shifts with a largest deviation as large) / (1 + shifts). */
    p: (1 + reached) / (1 + maxima.length),
  };
}

/**
 * All coins on one calendar, day by day. `classes` has the place of the rating's class, -1 where there is none, and
 * `excess` the return less the mean of the coins that have a return from that day.
 */
function tableOf(coins: readonly RatedCoin[]) {
  const firstDay = Math.min(...coins.map((coin) => coin.firstDay));
  const ends = coins.map((coin) => coin.firstDay + coin.scores.length);
  const days = coins.length === 0 ? 0 : Math.max(...ends) - firstDay;
  const size = days * coins.length;
  const classes = new Int8Array(size).fill(-1);
  const returns = new Float64Array(size).fill(NaN);
  for (const [column, coin] of coins.entries()) {
    for (let row = 0; row < coin.scores.length; row++) {
      const place = (coin.firstDay - firstDay + row) * coins.length + column;
      const name = nameOfScore(coin.scores[row]!);
      if (name !== null) classes[place] = CLASSES.indexOf(name);
      returns[place] = coin.returns[row]!;
    }
  }
  const excess = returns.slice();
  for (let from = 0; from < size; from += coins.length) {
    const day = excess.subarray(from, from + coins.length);
    const centre = mean(day);
    day.set(day.map((value) => value - centre));
  }
  return { firstDay, days, coins: coins.length, classes, returns, excess };
}

/** Offsets that are evenly spaced and at least 90 days from no shift at all; fewer than 500 in a short history. */
function shiftsOf(days: number): number[] {
  const reach = days - 2 * SHIFT_DAYS_MIN;
  if (reach < 1) return [];
  const offsets = Array.from(
    { length: SHIFTS },
    (_, shift) => SHIFT_DAYS_MIN + Math.round((shift * reach) / (SHIFTS - 1)),
  );
  return [...new Set(offsets)];
}

/** Sums by class when each day's returns go with the ratings of `offset` days earlier. */
function sumsOf(table: ReturnType<typeof tableOf>, offset: number) {
  const { days, coins, classes, returns, excess } = table;
  const sums = CLASSES.map(() => ({ count: 0, excess: 0, above: 0, raw: 0 }));
  for (let day = 0; day < days; day++) {
    const rated = ((day - offset + days) % days) * coins;
    for (let coin = 0; coin < coins; coin++) {
      const place = classes[rated + coin]!;
      const value = excess[day * coins + coin]!;
      if (place < 0 || Number.isNaN(value)) continue;
      const sum = sums[place]!;
      sum.count++;
      sum.excess += value;
      sum.raw += returns[day * coins + coin]!;
      if (value > 0) sum.above++;
    }
  }
  return sums;
}

function meanOf({ count, excess }: { readonly count: number; readonly excess: number }) {
  return excess / count;
}

function nullOf(means: readonly number[]) {
  const values = Float64Array.from(means.filter((value) => !Number.isNaN(value)));
  return {
    centre: mean(values),
    deviation: Math.sqrt(variance(values)),
    low: quantile(values, TAIL),
    high: quantile(values, 1 - TAIL),
  };
}
