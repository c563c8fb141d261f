import { annualGrowth } from "../annual-growth.ts";
import type { DayReturns } from "../engine/day-returns.ts";
import type { RunBuffer } from "../engine/simulate.ts";
import { momentsOfSums, sharpeOfMoments } from "../engine/statistics.ts";

/**
 * How several runs of equal length had done by some of their rows, the cuts. Sums of the daily returns from the first
 * row to each cut give any figure between two cuts without another pass. Run r at cut c is at index r x cuts + c.
 */
export interface RunTracks {
  /** Rows, ascending; the first is 0. */
  readonly cuts: Int32Array;
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  /** What one dollar became. */
  readonly growths: Float64Array;
  /** Deepest drawdown: a fraction, 0 or negative. */
  readonly drawdowns: Float64Array;
}

export function createTracks(rows: readonly number[], runs: number): RunTracks {
  const cuts = Int32Array.from(new Set([0, ...rows])).sort();
  const column = () => new Float64Array(runs * cuts.length);
  return { cuts, sums: column(), squares: column(), growths: column(), drawdowns: column() };
}

/**
 * Follows one run to the last cut by its fills: days in cash add nothing, so only those with a position are
 * visited. `first` is the row of the run's first day in the history.
 */
export function trackRun(
  tracks: RunTracks,
  run: number,
  input: { buffer: RunBuffer; days: DayReturns; first: number },
): void {
  const { cuts, sums, squares, growths, drawdowns } = tracks;
  const { fills, fillCount } = input.buffer;
  const { first } = input;
  const { held, entry, exit } = input.days;
  const end = cuts.at(-1)!; // there is always the cut 0
  let at = run * cuts.length;
  const last = at + cuts.length;
  let next = 0;
  let cut = cuts[0]!;
  let sum = 0;
  let square = 0;
  let growth = 1;
  let peak = 1;
  let deepest = 1; // growth over its peak so far
  for (let fill = 0; fill < fillCount && fills[fill]! < end; fill += 2) {
    const bought = fills[fill]!;
    const sold = fill + 1 < fillCount ? fills[fill + 1]! : end;
    for (let row = bought; row <= sold && row < end; row++) {
      while (row >= cut) {
        sums[at] = sum;
        squares[at] = square;
        growths[at] = growth;
        drawdowns[at++] = deepest - 1;
        cut = cuts[++next]!; // no row reaches the last cut, the end
      }
      const day = first + row;
      const value = row === bought ? entry[day]! : row === sold ? exit[day]! : held[day]!;
      sum += value;
      square += value * value;
      growth *= 1 + value;
      if (growth > peak) peak = growth;
      else if (growth < deepest * peak) deepest = growth / peak;
    }
  }
  sums.fill(sum, at, last);
  squares.fill(square, at, last);
  growths.fill(growth, at, last);
  drawdowns.fill(deepest - 1, at, last);
}

/**
 * The sums of a run at other costs, at the given cuts of `from`. Days that are held throughout earn the same, so only
 * the days of fills differ.
 */
export function trackOtherCosts(
  tracks: RunTracks,
  run: number,
  input: {
    from: RunTracks;
    buffer: RunBuffer;
    usual: DayReturns;
    other: DayReturns;
    first: number;
  },
): void {
  const { from, usual, other, first } = input;
  const { fills, fillCount } = input.buffer;
  let sum = 0;
  let square = 0;
  let fill = 0;
  for (const [cut, row] of tracks.cuts.entries()) {
    for (; fill < fillCount && fills[fill]! < row; fill++) {
      const day = first + fills[fill]!;
      const [before, after] =
        fill % 2 === 0 ? [usual.entry, other.entry] : [usual.exit, other.exit];
      sum += after[day]! - before[day]!;
      square += after[day]! ** 2 - before[day]! ** 2;
    }
    const at = run * from.cuts.length + cutAt(from, row);
    tracks.sums[run * tracks.cuts.length + cut] = from.sums[at]! + sum;
    tracks.squares[run * tracks.cuts.length + cut] = from.squares[at]! + square;
  }
}

/** Index of a row among the cuts; it must be one of them. */
export function cutAt({ cuts }: RunTracks, row: number): number {
  return cuts.indexOf(row);
}

/**
 * Annual Sharpe ratio of a run between two cuts; NaN when it did not move. From the first row, whose return is
 * 0, it has the bits of `sharpeRatio`.
 */
export function sharpeBetween(tracks: RunTracks, run: number, from: number, to: number): number {
  const first = run * tracks.cuts.length;
  return sharpeOfSums(
    tracks.sums[first + to]! - tracks.sums[first + from]!,
    tracks.squares[first + to]! - tracks.squares[first + from]!,
    tracks.cuts[to]! - tracks.cuts[from]!,
  );
}

export function sharpeOfSums(sum: number, squares: number, days: number): number {
  return sharpeOfMoments(momentsOfSums({ anchor: 0, sum, squares, days }));
}

/** What one dollar became between two cuts. */
export function growthBetween(tracks: RunTracks, run: number, from: number, to: number): number {
  const first = run * tracks.cuts.length;
  return tracks.growths[first + to]! / tracks.growths[first + from]!;
}

/** Annual growth over the deepest drawdown, from the first row to a cut; NaN without a drawdown. */
export function calmarUntil({ cuts, growths, drawdowns }: RunTracks, run: number, to: number) {
  const at = run * cuts.length + to;
  const deepest = drawdowns[at]!;
  return deepest < 0 ? annualGrowth(growths[at]!, cuts[to]!) / -deepest : NaN;
}
