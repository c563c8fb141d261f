import { positionDaysWithin, tradesWithin } from "../engine/run-counts.ts";
import type { RunBuffer, Window } from "../engine/simulate.ts";
import { momentsOfSums, shapeAbout, sharpeOfMoments } from "../engine/statistics.ts";

/** The part of a run that a figure covers. */
export type Segment = "inSample" | "outOfSample" | "whole";

/**
 * Figures of a slice of a run. The engine's own statistics compute them, so a separate run over the same
 * days has the same figures. NaN means "no value", such as the Sharpe of a slice in which nothing moved.
 */
export interface SegmentRecord {
  readonly days: number;
  /** Annual; NaN when the slice is flat. */
  readonly sharpe: number;
  readonly totalReturn: number;
  /** From the highest equity within the slice, its start included. */
  readonly maxDrawdown: number;
  /**
   * Trades bought within the slice. A trade that was bought earlier counts in the slice where it was
   * bought.
   */
  readonly trades: number;
  /** Share of the slice's closes at which a position is held. */
  readonly exposure: number;
  /** Mean and sample standard deviation (n - 1) of the daily returns. */
  readonly meanReturn: number;
  readonly deviation: number;
  readonly skew: number;
  readonly kurtosis: number;
}

export function segmentRecords(
  run: RunBuffer,
  { inSample, outOfSample, whole }: Readonly<Record<Segment, Window>>,
): Readonly<Record<Segment, SegmentRecord>> {
  return {
    inSample: recordOf(run, inSample),
    outOfSample: recordOf(run, outOfSample),
    whole: recordOf(run, whole),
  };
}

function recordOf(run: RunBuffer, slice: Window): SegmentRecord {
  const { returns } = run;
  const { from, to } = slice;
  const { moments, growth, maxDrawdown } = followed(returns, from, to);
  return {
    days: to - from,
    sharpe: sharpeOfMoments(moments),
    totalReturn: growth - 1,
    maxDrawdown,
    trades: tradesWithin(run, slice),
    exposure: positionDaysWithin(run, slice) / (to - from),
    meanReturn: moments.mean,
    deviation: moments.deviation,
    ...shapeAbout(moments, returns, from, to),
  };
}

/** To the bit what `statistics.ts` has, in one loop whose sums do not wait for one another: its three take twice as long. */
function followed(returns: Float64Array, from: number, to: number) {
  const anchor = returns[from]!;
  let [sum, squares, growth, peak, maxDrawdown] = [0, 0, 1, 1, 0];
  for (let row = from; row < to; row++) {
    const value = returns[row]!;
    const distance = value - anchor;
    sum += distance;
    squares += distance * distance;
    growth *= 1 + value;
    if (growth > peak) peak = growth;
    const drawdown = growth / peak - 1;
    if (drawdown < maxDrawdown) maxDrawdown = drawdown;
  }
  return { moments: momentsOfSums({ anchor, sum, squares, days: to - from }), growth, maxDrawdown };
}

/** The in-sample, out-of-sample and all days of a run, counted from its first day. */
export function segmentSlices(days: number, inSample: number): Readonly<Record<Segment, Window>> {
  return {
    inSample: { from: 0, to: inSample },
    outOfSample: { from: inSample, to: days },
    whole: { from: 0, to: days },
  };
}
