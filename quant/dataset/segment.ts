import { positionDaysWithin, tradesWithin } from "../engine/run-counts.ts";
import type { RunBuffer, Window } from "../engine/simulate.ts";
import { beginSlice, growSlice, momentsOfSlice } from "../engine/growing-slice.ts";
import type { GrowingSlice } from "../engine/growing-slice.ts";
import { shapeAbout, sharpeOfMoments } from "../engine/statistics.ts";

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

/**
 * The segments of a run. In-sample and whole begin on the same day, so the sums of the one are a stage of
 * those of the other.
 */
export function segmentRecords(
  run: RunBuffer,
  slices: Readonly<Record<Segment, Window>>,
): Readonly<Record<Segment, SegmentRecord>> {
  const { returns } = run;
  const growing = beginSlice(slices.inSample.from);
  growSlice(growing, returns, slices.inSample.to);
  const inSample = recordOf(run, growing);
  growSlice(growing, returns, slices.whole.to);
  const whole = recordOf(run, growing);
  const behind = beginSlice(slices.outOfSample.from);
  growSlice(behind, returns, slices.outOfSample.to);
  return { inSample, outOfSample: recordOf(run, behind), whole };
}

function recordOf(run: RunBuffer, slice: GrowingSlice): SegmentRecord {
  const { returns } = run;
  const { from, to } = slice;
  const moments = momentsOfSlice(slice, returns);
  return {
    days: to - from,
    sharpe: sharpeOfMoments(moments),
    totalReturn: slice.growth - 1,
    maxDrawdown: slice.maxDrawdown,
    trades: tradesWithin(run, slice),
    exposure: positionDaysWithin(run, slice) / (to - from),
    meanReturn: moments.mean,
    deviation: moments.deviation,
    ...shapeAbout(moments, returns, from, to),
  };
}

/** The in-sample, out-of-sample and all days of a run, counted from its first day. */
export function segmentSlices(days: number, inSample: number): Readonly<Record<Segment, Window>> {
  return {
    inSample: { from: 0, to: inSample },
    outOfSample: { from: inSample, to: days },
    whole: { from: 0, to: days },
  };
}
