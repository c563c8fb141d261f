import { positionDaysWithin, tradesWithin } from "../engine/run-counts.ts";
import type { RunBuffer, Window } from "../engine/simulate.ts";
import {
  dailyDeviation,
  maxDrawdown,
  meanReturn,
  shapeOfReturns,
  sharpeRatio,
  totalReturn,
} from "../engine/statistics.ts";

/** The part of a run a figure is of. */
export type Segment = "inSample" | "outOfSample" | "whole";

export const SEGMENTS: readonly Segment[] = ["inSample", "outOfSample", "whole"];

/**
 * Figures of a slice of a run, by the engine's own statistics, so that a run done alone over the
 * same days has the same ones. NaN is "no value": the Sharpe of a slice on which nothing moved.
 */
export interface SegmentRecord {
  readonly days: number;
  /** A year; NaN when the slice is flat. */
  readonly sharpe: number;
  readonly totalReturn: number;
  /** Against the highest equity within the slice, its start included. */
  readonly maxDrawdown: number;
  /** Trades bought within the slice. One carried in from before counts where it was bought. */
  readonly trades: number;
  /** Share of the slice's closes with a position. */
  readonly exposure: number;
  /** Mean and sample standard deviation (n - 1) of the daily returns. */
  readonly meanReturn: number;
  readonly deviation: number;
  readonly skew: number;
  readonly kurtosis: number;
}

export function segmentRecord(run: RunBuffer, slice: Window): SegmentRecord {
  const { returns } = run;
  const { from, to } = slice;
  return {
    days: to - from,
    sharpe: sharpeRatio(returns, from, to),
    totalReturn: totalReturn(returns, from, to),
    maxDrawdown: maxDrawdown(returns, from, to),
    trades: tradesWithin(run, slice),
    exposure: positionDaysWithin(run, slice) / (to - from),
    meanReturn: meanReturn(returns, from, to),
    deviation: dailyDeviation(returns, from, to),
    ...shapeOfReturns(returns, from, to),
  };
}

/** The same days of the run, in-sample, out-of-sample and both, counted from its first day. */
export function segmentSlices(days: number, inSample: number): Readonly<Record<Segment, Window>> {
  return {
    inSample: { from: 0, to: inSample },
    outOfSample: { from: inSample, to: days },
    whole: { from: 0, to: days },
  };
}
