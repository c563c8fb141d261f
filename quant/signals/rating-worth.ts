import { historyUpTo, type Bars } from "../bars.ts";
import { civilOfDay } from "../calendar.ts";
import { mean, median, quantile, variance } from "../sample-statistics.ts";
import { nameOfScore, ratingScores, type RatingName } from "./rating.ts";

/** Raise this when the same prices would give other rows. */
export const RATING_WORTH_METHOD = 2;
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
  readonly coin: string;
  readonly firstDay: number;
  readonly scores: ArrayLike<number>;
  /** Change of the close over the 30 days after; NaN where they are not over. */
  readonly returns: ArrayLike<number>;
}

export type RatingWorth = NonNullable<ReturnType<typeof ratingWorth>>;
export type ClassWorth = RatingWorth["classes"][number];

/** A coin as it was known at the close of a day; undefined where it had no prices yet. */
export function ratedCoin(coin: string, bars: Bars, lastDay: number): RatedCoin | undefined {
  const known = historyUpTo(bars, lastDay);
  const [firstDay] = known.day;
  if (firstDay === undefined) return undefined;
  return { coin, firstDay, scores: ratingScores(known), returns: returnsAfter(known.close) };
}

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
 * beyond `bar`, the maxima over all classes, differs from luck. Half and twice as many shifts say whether that hangs on
 * their number; the means without a coin or a year, whether it hangs on one of these.
 *
 * Undefined where the history is too short to shift, or too few coins to differ from their mean.
 */
export function ratingWorth(coins: readonly RatedCoin[]) {
  const table = tableOf(coins);
  const offsets = shiftsOf(table.days);
  if (offsets.length < 8) return undefined;
  const own = sumsOf(table, 0);
  const means = own.map(meanOf);
  const twice = offsets.map((offset) => sumsOf(table, offset).map(meanOf));
  const shifted = everyOther(twice);
  const [main, half, doubled] = [shifted, everyOther(shifted), twice].map((shifts) =>
    judge(means, shifts),
  );
  if (!(main!.bar > 0)) return undefined;
  const without = leftOut(table, own);
  const excesses = excessesOf(table);
  return {
    classes: CLASSES.map((rating, index) => {
      const { count, above, raw } = own[index]!; // one per class
      const { low, high } = main!.nulls[index]!;
      return {
        rating,
        /** Coins times days. */
        observations: count,
        meanReturn: raw / count,
        /** Mean of the return less the board's mean over the same days. */
        meanExcess: means[index]!,
        medianExcess: median(excesses[index]!),
        /** Share of the observations whose return is above the board's mean. */
        shareAbove: above / count,
        /** 5 to 95 % of the mean excess when ratings are shifted in time. */
        low,
        high,
        /** Distance of the mean excess from the mean of the shifts, in their deviations. */
        deviations: main!.distances[index]!,
        /** The coin and the year without which the mean excess is nearest to zero, or farthest beyond it. */
        coin: coins[without.coins[index]!.at]?.coin ?? "",
        meanExcessWithoutCoin: without.coins[index]!.mean,
        year: without.years[index]!.at,
        meanExcessWithoutYear: without.years[index]!.mean,
      };
    }),
    coins: coins.length,
    firstDay: table.firstDay,
    lastDay: table.firstDay + table.days - 1,
    shifts: shifted.length,
    /** 95 % quantile, over the shifts, of the largest deviation of any class. */
    bar: main!.bar,
    /** (1 + shifts with a largest deviation as large) / (1 + shifts). */
    p: main!.p,
    /** The same with every other shift, and with others in between. */
    pHalf: half!.p,
    pTwice: doubled!.p,
  };
}

const everyOther = <Each>(all: readonly Each[]) => all.filter((_, at) => at % 2 === 0);

/** The deviations of the means from those of the shifts, their bar, and how often shifts go as far. */
function judge(means: readonly number[], shifted: readonly (readonly number[])[]) {
  const nulls = CLASSES.map((_, index) => nullOf(shifted.map((each) => each[index]!)));
  const distancesOf = (each: readonly number[]) =>
    each.map((value, index) => (value - nulls[index]!.centre) / nulls[index]!.deviation);
  const largest = (each: readonly number[]) =>
    Math.max(0, ...distancesOf(each).map((distance) => Math.abs(distance) || 0)); // a class may be empty
  const maxima = shifted.map(largest);
  const reached = maxima.filter((value) => value >= largest(means)).length;
  return {
    nulls,
    distances: distancesOf(means),
    bar: quantile(maxima, LEVEL),
    p: (1 + reached) / (1 + maxima.length),
  };
}

type Sum = ReturnType<typeof sumsOf>[number];

/** For each class the mean excess without the coin, and without the year, that carries most of it. */
function leftOut(table: ReturnType<typeof tableOf>, own: readonly Sum[]) {
  const { days, coins, firstDay } = table;
  const years = new Map<number, readonly [from: number, to: number]>();
  for (let day = 0; day < days; day++) {
    const { year } = civilOfDay(firstDay + day);
    years.set(year, [years.get(year)?.[0] ?? day, day + 1]);
  }
  const parts = {
    coins: Array.from({ length: coins }, (_, coin) => [coin, sumsOf(table, 0, { coin })] as const),
    years: [...years].map(([year, between]) => [year, sumsOf(table, 0, { between })] as const),
  };
  const carrierOf = (all: readonly (readonly [number, readonly Sum[]])[], index: number) => {
    const whole = own[index]!; // one per class
    const means = all
      .map(([at, sums]) => {
        const { count, excess } = sums[index]!;
        return { at, mean: (whole.excess - excess) / (whole.count - count) };
      })
      .filter((each) => !Number.isNaN(each.mean));
    const side = Math.sign(whole.excess);
    const least = Math.min(...means.map((each) => side * each.mean));
    return means.find((each) => side * each.mean === least) ?? { at: -1, mean: NaN };
  };
  return {
    coins: CLASSES.map((_, index) => carrierOf(parts.coins, index)),
    years: CLASSES.map((_, index) => carrierOf(parts.years, index)),
  };
}

function excessesOf({ classes, excess }: ReturnType<typeof tableOf>) {
  return CLASSES.map((_, index) => excess.filter((_, at) => classes[at] === index));
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
      const cell = (coin.firstDay - firstDay + row) * coins.length + column;
      const name = nameOfScore(coin.scores[row]!);
      if (name !== null) classes[cell] = CLASSES.indexOf(name);
      returns[cell] = coin.returns[row]!;
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

/** Offsets that are evenly spaced and at least 90 days from no shift at all: twice 500, fewer in a short history. */
function shiftsOf(days: number): number[] {
  const reach = days - 2 * SHIFT_DAYS_MIN;
  if (reach < 1) return [];
  const offsets = Array.from(
    { length: 2 * SHIFTS },
    (_, shift) => SHIFT_DAYS_MIN + Math.round((shift * reach) / (2 * SHIFTS - 1)),
  );
  return [...new Set(offsets)];
}

/**
 * Sums by class when each day's returns go with the ratings of `offset` days earlier; of one coin or of some days alone,
 * where `only` says so.
 */
function sumsOf(
  table: ReturnType<typeof tableOf>,
  offset: number,
  only: { readonly coin?: number; readonly between?: readonly [number, number] } = {},
) {
  const { days, coins, classes, returns, excess } = table;
  const [from, to] = only.between ?? [0, days];
  const [first, last] = only.coin === undefined ? [0, coins] : [only.coin, only.coin + 1];
  const sums = CLASSES.map(() => ({ count: 0, excess: 0, above: 0, raw: 0 }));
  for (let day = from; day < to; day++) {
    const rated = ((day - offset + days) % days) * coins;
    for (let coin = first; coin < last; coin++) {
      const rating = classes[rated + coin]!;
      const value = excess[day * coins + coin]!;
      if (rating < 0 || Number.isNaN(value)) continue;
      const sum = sums[rating]!;
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
