import { positionDaysWithin, tradesWithin } from "../engine/run-counts.ts";
import type { RunBuffer, Window } from "../engine/simulate.ts";
import { momentsOfSums, shapeAbout, sharpeOfMoments } from "../engine/statistics.ts";

/** Figures of the in-sample, the out-of-sample and all days of a run. */
export interface BySegment<Figures> {
  readonly inSample: Figures;
  readonly outOfSample: Figures;
  readonly whole: Figures;
}

/** The days of each segment of a run, counted from its first day. */
export function segmentSlices(days: number, inSample: number): BySegment<Window> {
  return {
    inSample: { from: 0, to: inSample },
    outOfSample: { from: inSample, to: days },
    whole: { from: 0, to: days },
  };
}

export function bySegment<Figures>(
  { inSample, outOfSample, whole }: BySegment<Window>,
  figures: (slice: Window) => Figures,
): BySegment<Figures> {
  return {
    inSample: figures(inSample),
    outOfSample: figures(outOfSample),
    whole: figures(whole),
  };
}

export type SegmentRecord = Readonly<ReturnType<typeof segmentRecord>>;

/**
 * Figures of a slice of a run. The engine's own statistics compute them, so a separate run over the same
 * days has the same figures. NaN means "no value", such as the Sharpe of a slice in which nothing moved.
 */
export function segmentRecord(run: RunBuffer, slice: Window) {
  const { returns } = run;
  const { from, to } = slice;
  const { moments, growth, maxDrawdown } = followed(returns, from, to);
  return {
    days: to - from,
    /** Annual; NaN when the slice is flat. */
    sharpe: sharpeOfMoments(moments),
    totalReturn: growth - 1,
    /** From the highest equity within the slice, its start included. */
    maxDrawdown,
    /** Trades bought within the slice, whether or not they are sold within it. */
    trades: tradesWithin(run, slice),
    /** Share of the slice's closes at which a position is held. */
    exposure: positionDaysWithin(run, slice) / (to - from),
    /** Mean and sample standard deviation (n - 1) of the daily returns. */
    meanReturn: moments.mean,
    deviation: moments.deviation,
    ...shapeAbout(moments, returns, from, to),
  };
}

/**
 * Moments, growth and deepest drawdown, to the bit those of `statistics.ts`. One loop whose sums do not wait for one
 * another takes half as long as its three.
 */
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
