import { mean } from "../sample-statistics.ts";
import type { AverageScores } from "./average-scores.ts";
import type { OscillatorScores } from "./oscillator-scores.ts";
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

/**
 * The technical rating of a day from the scores of its components. Source: TradingView, Technical Ratings,
 * in the current version, which looks at states; an older one looked at crosses.
 *
 * Each half's score is the mean of its components that have enough history. The summary's score is the mean
 * of the two halves, however many components each has. While a coin is so young that only one half has
 * components, the summary is that half's.
 */
export function summarize(averages: AverageScores, oscillators: OscillatorScores): RatingSummary {
  const { ema, sma, hullMa, vwma, ichimoku } = averages;
  const averageHalf = [...Object.values(ema), ...Object.values(sma), hullMa, vwma, ichimoku];
  const movingAverages = rate(averageHalf);
  const oscillatorHalf = rate(Object.values(oscillators));
  const score = mean([movingAverages.score, oscillatorHalf.score]);
  return {
    rating: nameOfScore(score),
    score,
    buy: movingAverages.buy + oscillatorHalf.buy,
    neutral: movingAverages.neutral + oscillatorHalf.neutral,
    sell: movingAverages.sell + oscillatorHalf.sell,
    movingAverages,
    oscillators: oscillatorHalf,
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
