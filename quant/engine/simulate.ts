import type { DayReturns } from "./day-returns.ts";
import { ENTER, EXIT } from "../strategies/mark.ts";

/** The rows of a history that a run trades: from the start day `from` up to but not including `to`. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The result of a run, in memory that the next run reuses. Index 0 is the start day. */
export interface RunBuffer {
  /** Net return of each close over the previous one; the first is over the starting cash. */
  readonly returns: Float64Array;
  /** Days of the fills in order: entry, exit, entry, ... Only the first `fillCount` belong to this run. */
  readonly fills: Int32Array;
  /** An odd count means that the last trade is still open. */
  fillCount: number;
  /** Number of closes at which a position is held. */
  positionDays: number;
}

/**
 * A buffer for a window of `days`. `returns` may be a view into a larger matrix, `fills` may belong to
 * another buffer.
 */
export function createRunBuffer(
  days: number,
  returns: Float64Array = new Float64Array(days),
  fills: Int32Array = new Int32Array(days),
): RunBuffer {
  return { returns, fills, fillCount: 0, positionDays: 0 };
}

export function assertWindow({ from, to }: Window, rows: number): void {
  const whole = Number.isInteger(from) && Number.isInteger(to);
  if (!whole || from < 0 || to < from || to > rows) {
    throw new RangeError(`window ${from}..${to} is not within the ${rows} rows of the history`);
  }
}

/**
 * The engine: one run of a long-or-flat rule over a window. Every backtest of the product goes through its
 * two halves: single jobs, the dataset and the index.
 *
 * The account starts flat, with its starting cash, at the open of the start day. A decision is made at the
 * close of a day, from the start day on, and filled at the next day's open. The start day is therefore
 * always flat, and a decision on the last day is never filled. When flat, the rule enters on ENTER without
 * EXIT; when long, it exits on EXIT. All equity is traded, in fractional units. A position that is open at
 * the end is valued at the last close, not sold.
 */
export function simulate(
  flags: Uint8Array,
  days: DayReturns,
  window: Window,
  out: RunBuffer,
): void {
  findFills(flags, window, out);
  earnReturns(days, window, out);
}

/** The first half: when a rule trades. Prices and costs play no part in it. */
export function findFills(flags: Uint8Array, { from, to }: Window, out: RunBuffer): void {
  const { fills } = out;
  let fillCount = 0;
  let positionDays = 0;
  let row = from + 1;
  while (row < to) {
    while (row < to && flags[row - 1] !== ENTER) row++;
    if (row >= to) break;
    const entryRow = row;
    fills[fillCount++] = row - from;
    row++;
    while (row < to && (flags[row - 1]! & EXIT) === 0) row++;
    positionDays += row - entryRow;
    if (row >= to) break;
    fills[fillCount++] = row - from;
    row++;
  }
  out.fillCount = fillCount;
  out.positionDays = positionDays;
}

/**
 * The second half: what the fills of a run earn.
 *
 * With everything in or everything out, a day's return is a ratio of two prices and the costs. It needs no
 * equity, so it does not depend on the starting cash, and rounding does not accumulate.
 */
export function earnReturns(
  { held, entry, exit }: DayReturns,
  { from, to }: Window,
  out: RunBuffer,
): void {
  const { returns, fills, fillCount } = out;
  const days = to - from;
  let day = 0;
  for (let index = 0; index < fillCount; index += 2) {
    const bought = fills[index]!;
    const sold = index + 1 < fillCount ? fills[index + 1]! : days;
    while (day < bought) returns[day++] = 0;
    returns[day] = entry[from + day]!;
    for (day++; day < sold; day++) returns[day] = held[from + day]!;
    if (day < days) returns[day] = exit[from + day]!;
    day++;
  }
  while (day < days) returns[day++] = 0;
}
