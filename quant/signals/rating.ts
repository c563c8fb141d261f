import type { Bars } from "../bars.ts";
import { computeIndicators } from "../indicators/columns.ts";
import { mean } from "../sample-statistics.ts";
import { AVERAGES, EMA, SMA } from "./averages.ts";
import { dayOf, type Day } from "./indicator.ts";
import { OSCILLATORS } from "./oscillators.ts";
import type { Score } from "./signal.ts";

export type RatingName = "strong_sell" | "sell" | "neutral" | "buy" | "strong_buy";

export interface Rating {
  /** Null when no component had enough history. */
  readonly rating: RatingName | null;
  /** -1 (all sell) to 1 (all buy); NaN when no component had enough history. */
  readonly score: number;
  /** Number of components with each signal; those without enough history are in none. */
  readonly buy: number;
  readonly neutral: number;
  readonly sell: number;
}

/** The technical rating of a day: both halves and their mean. */
export interface RatingSummary extends Rating {
  readonly movingAverages: Rating;
  readonly oscillators: Rating;
}

const AVERAGE_HALF = [EMA, SMA, AVERAGES].flatMap((group) => Object.values(group));
const OSCILLATOR_HALF = Object.values(OSCILLATORS);

export function ratingOf(day: Day): RatingSummary {
  return summarize(
    AVERAGE_HALF.map(({ score }) => score(day)),
    OSCILLATOR_HALF.map(({ score }) => score(day)),
  );
}

/** The score of `ratingOf` alone, in half the time. */
export function ratingScore(day: Day): number {
  const halves = [AVERAGE_HALF, OSCILLATOR_HALF];
  return mean(halves.map((half) => mean(half.map(({ score }) => score(day)))));
}

/** The score of the technical rating at every close; NaN while no component has enough history. */
export function ratingScores(bars: Bars): Float64Array {
  const columns = computeIndicators(bars);
  return bars.close.map((_, row) => ratingScore(dayOf(bars, columns, row)));
}

/**
 * The technical rating of a day from the scores of its components. Source: TradingView, Technical Ratings,
 * in the current version, which looks at states. An older one looked at crosses.
 *
 * Each half's score is the mean of its components that have enough history. The summary's score is the mean
 * of the two halves, however many components each has. While a coin is so young that only one half has
 * components, the summary is that half's.
 */
export function summarize(averages: readonly Score[], oscillators: readonly Score[]) {
  const halves = { movingAverages: rate(averages), oscillators: rate(oscillators) };
  const { movingAverages: one, oscillators: other } = halves;
  const score = mean([one.score, other.score]);
  return {
    rating: nameOfScore(score),
    score,
    buy: one.buy + other.buy,
    neutral: one.neutral + other.neutral,
    sell: one.sell + other.sell,
    ...halves,
  };
}

/** Below -0.5 strong sell, below -0.1 sell, above 0.1 buy, above 0.5 strong buy, else neutral. */
export function nameOfScore(score: number): RatingName | null {
  if (Number.isNaN(score)) return null;
  if (score < -0.5) return "strong_sell";
  if (score < -0.1) return "sell";
  if (score > 0.5) return "strong_buy";
  if (score > 0.1) return "buy";
  return "neutral";
}

function rate(scores: readonly Score[]): Rating {
  const score = mean(scores);
  const count = (wanted: Score) => scores.filter((each) => each === wanted).length;
  return { rating: nameOfScore(score), score, buy: count(1), neutral: count(0), sell: count(-1) };
}
