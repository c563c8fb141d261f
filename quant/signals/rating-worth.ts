import { columnOf, mean, quantile, variance } from "../sample-statistics.ts";
import { nameOfScore, type RatingName } from "./rating.ts";

/** Raise this when the same prices would give other rows. */
export const RATING_WORTH_METHOD = 1;
/** Days after a rating over which its worth is counted. */
export const WORTH_DAYS = 30;
export const SHIFTS = 500;
/** Days by which ratings are shifted at least, in either direction of the circle. */
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

/** What came after one class of rating. */
export interface ClassWorth {
  readonly rating: RatingName;
  /** Coins times days. */
  readonly observations: number;
  readonly meanReturn: number;
  /** Mean of the return less the board's mean over the same days. */
  readonly meanExcess: number;
  /** Share of the observations whose return is above the board's mean. */
  readonly shareAbove: number;
  /** 5 to 95 % of the mean excess when ratings are shifted in time. */
  readonly low: number;
  readonly high: number;
  /** Distance of the mean excess from the mean of the shifts, in their deviations. */
  readonly deviations: number;
}

export interface RatingWorth {
  readonly classes: readonly ClassWorth[];
  readonly coins: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly shifts: number;
  /** 95 % quantile, over the shifts, of the largest deviation of any class. */
  readonly bar: number;
  /** (1 + shifts with a largest deviation as large) / (1 + shifts). */
  readonly p: number;
}

/** Change of the close over the next 30 days; NaN for the last 30. */
export function returnsAfter(close: Float64Array): Float64Array {
  return close.map((from, row) => (close[row + WORTH_DAYS] ?? NaN) / from - 1);
}

/**
 * What the rating was worth: the return of the next 30 days less the board's mean, by class of rating. The
 * null are 500 circular shifts of all coins' ratings together, evenly spaced from 90 days on: ratings keep
 * their runs and their links between coins, and lose what they knew of the days they are compared with. A
 * young coin has fewer days on which both are known, so the bands are rather too wide. A class is told from
 * luck only if it passes the maxima over the classes. Undefined where the history is too
 * short to shift, or too few coins to differ from their mean.
 */
export function ratingWorth(coins: readonly RatedCoin[]): RatingWorth | undefined {
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
        observations: count,
        meanReturn: raw / count,
        meanExcess: means[place]!,
        shareAbove: above / count,
        low,
        high,
        deviations: distance(means[place]!, place),
      };
    }),
    coins: coins.length,
    firstDay: table.firstDay,
    lastDay: table.firstDay + table.days - 1,
    shifts: offsets.length,
    bar,
    p: (1 + reached) / (1 + maxima.length),
  };
}

/** All coins on one calendar, day by day. */
interface WorthTable {
  readonly firstDay: number;
  readonly days: number;
  readonly coins: number;
  /** Place of the rating's class, -1 where there is none. */
  readonly classes: Int8Array;
  readonly returns: Float64Array;
  /** Less the mean of the coins that have a return from that day. */
  readonly excess: Float64Array;
}

function tableOf(coins: readonly RatedCoin[]): WorthTable {
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
    const centre = mean(day.filter((value) => !Number.isNaN(value)));
    day.set(day.map((value) => value - centre));
  }
  return { firstDay, days, coins: coins.length, classes, returns, excess };
}

/** Evenly spaced, each once, at least 90 days from where they began. */
function shiftsOf(days: number): number[] {
  const reach = days - 2 * SHIFT_DAYS_MIN;
  if (reach < 1) return [];
  const offsets = Array.from(
    { length: SHIFTS },
    (_, shift) => SHIFT_DAYS_MIN + Math.round((shift * reach) / (SHIFTS - 1)),
  );
  return [...new Set(offsets)];
}

interface ClassSums {
  count: number;
  excess: number;
  above: number;
  raw: number;
}

const meanOf = ({ count, excess }: ClassSums) => excess / count;

/** The ratings of `offset` days earlier beside the returns of each day. */
function sumsOf({ days, coins, classes, returns, excess }: WorthTable, offset: number) {
  const sums = CLASSES.map((): ClassSums => ({ count: 0, excess: 0, above: 0, raw: 0 }));
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

function nullOf(means: readonly number[]) {
  const known = means.filter((value) => !Number.isNaN(value));
  const values = columnOf(known, (value) => value);
  return {
    centre: mean(values),
    deviation: Math.sqrt(variance(values)),
    low: quantile(values, TAIL),
    high: quantile(values, 1 - TAIL),
  };
}
