import { quantile } from "../sample-statistics.ts";
import { nullRange, OUTSIDE_BY_LUCK } from "./index-band.ts";

export type IndexLuck = ReturnType<typeof indexLuck>;

/** A month's value and the values of the permutations of its own panel. */
interface DrawnMonth {
  readonly value: number;
  readonly draws: ArrayLike<number>;
}

const LEVEL = 0.95;

/**
 * How many months luck alone would put outside their bands, and which of them stand out beyond all luck.
 *
 * A month stands out from `bar` deviations on: the 95 % quantile, over the draws, of the largest
 * |draw - mean| / deviation of any month (the maxima of Westfall and Young 1993, without resampling jointly).
 * Neighbouring months share nearly all of their data while their draws are independent, so the bar is too high
 * rather than too low. As many draws are used as the month with the fewest has.
 */
export function indexLuck(months: readonly DrawnMonth[]) {
  const judged = months.map(judge);
  const known = judged.filter((month) => month !== undefined);
  const draws = Math.min(...known.map(({ distances }) => distances.length));
  const maxima = Array.from(
    { length: known.length === 0 ? 0 : draws },
    (_, draw) => Math.max(...known.map(({ distances }) => Math.abs(distances[draw]!))), // no month has fewer
  );
  const pooled = nullRange(known.flatMap(({ values }) => values));
  return {
    /** The 5 to 95 % range of the draws of all months together, and how many they are. */
    low: pooled.low,
    high: pooled.high,
    draws: known.reduce((count, { values }) => count + values.length, 0),
    /** Months with a value and a band. */
    months: known.length,
    outside: known.filter(({ isOutside }) => isOutside).length,
    outsideByLuck: OUTSIDE_BY_LUCK * known.length,
    /** NaN without a month. */
    bar: quantile(maxima, LEVEL),
    /** Each month's distance from the mean of its draws, in their deviations; NaN without a band. */
    deviations: judged.map((month) => month?.deviations ?? NaN),
  };
}

/** Undefined where the month has no value, or its draws no spread. */
function judge({ value, draws }: DrawnMonth) {
  const known = Array.from(draws).filter((draw) => !Number.isNaN(draw));
  const { low, high, mean, deviation } = nullRange(known);
  if (Number.isNaN(value) || !(deviation > 0)) return undefined;
  return {
    isOutside: value < low || value > high,
    values: known,
    deviations: (value - mean) / deviation,
    distances: known.map((draw) => (draw - mean) / deviation),
  };
}
