import type { Bars } from "../bars.ts";
import { computeIndicators } from "../indicators/columns.ts";
import { averageScores } from "./average-scores.ts";
import { oscillatorScores } from "./oscillator-scores.ts";
import { summarize } from "./rating.ts";

/** The score of the technical rating at every close, from bars up to that day; NaN while no part has enough history. */
export function ratingScores(bars: Bars): Float64Array {
  const columns = computeIndicators(bars);
  return bars.close.map((close, row) => {
    const averages = averageScores(columns, row, close);
    return summarize(averages, oscillatorScores(columns, row, close)).score;
  });
}
