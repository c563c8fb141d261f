import { mean, quantile, variance } from "../sample-statistics.ts";
import { BAND_TAIL } from "./index-band.ts";

/** A month's value and the values of the permutations of its own panel. */
export interface DrawnMonth {
  readonly value: number;
  readonly draws: ArrayLike<number>;
}

/** How many months luck alone would put outside their bands, and which of them stand out beyond all of it. */
export interface IndexLuck {
  /** Months with a value and a band. */
  readonly months: number;
  readonly outside: number;
  /** How many luck alone puts outside: a tenth of them. */
  readonly outsideByLuck: number;
  /** From how many deviations on a month stands out; NaN without a month. */
  readonly bar: number;
  /** Of each month that was passed: its distance from the mean of its draws in their deviations; NaN without a band. */
  readonly deviations: readonly number[];
}

const LEVEL = 0.95;

/**
 * The bar is the 95 % quantile, over the draws, of the largest |draw - mean| / deviation of any month (the
 * maxima of Westfall and Young 1993, without resampling jointly). Neighbouring months share nearly all of
 * their data while their draws are independent, so the bar is too high rather than too low. Months with
 * fewer draws limit how many are taken.
 */
export function indexLuck(months: readonly DrawnMonth[]): IndexLuck {
  const judged = months.map(judge);
  const known = judged.filter((month) => month !== undefined);
  const draws = Math.min(...known.map(({ distances }) => distances.length));
  const maxima = Array.from(
    { length: known.length === 0 ? 0 : draws },
    (_, draw) => Math.max(...known.map(({ distances }) => Math.abs(distances[draw]!))), // no month has fewer
  );
  return {
    months: known.length,
    outside: known.filter(({ isOutside }) => isOutside).length,
    outsideByLuck: 2 * BAND_TAIL * known.length,
    bar: maxima.length === 0 ? NaN : quantile(maxima, LEVEL),
    deviations: judged.map((month) => month?.deviations ?? NaN),
  };
}

/** Undefined where the month has no value, or its draws no spread. */
function judge({ value, draws }: DrawnMonth) {
  const known = Array.from(draws).filter((draw) => !Number.isNaN(draw));
  if (Number.isNaN(value) || known.length < 2) return undefined;
  const centre = mean(known);
  const deviation = Math.sqrt(variance(known));
  if (!(deviation > 0)) return undefined;
  return {
    isOutside: value < quantile(known, BAND_TAIL) || value > quantile(known, 1 - BAND_TAIL),
    deviations: (value - centre) / deviation,
    distances: known.map((draw) => (draw - centre) / deviation),
  };
}
