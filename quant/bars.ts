/**
 * One coin's daily bars as columns of equal length, oldest first: one row for each UTC day, with no day
 * missing. A day is the number of days since 1970-01-01. Prices are in US dollars, volume is in the base
 * coin.
 */
export interface Bars {
  readonly day: Int32Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** The columns that most indicators read. */
export type Prices = Pick<Bars, "high" | "low" | "close">;

/** A coin of the board with its history. */
export interface CoinHistory {
  readonly coin: string;
  readonly bars: Bars;
}

/** Bars of `days` days, all zero, to be filled in. */
export function emptyBars(days: number): Bars {
  return {
    day: new Int32Array(days),
    open: new Float64Array(days),
    high: new Float64Array(days),
    low: new Float64Array(days),
    close: new Float64Array(days),
    volume: new Float64Array(days),
  };
}

/** The rows `from` (inclusive) to `to` (exclusive), as views. */
export function sliceBars(bars: Bars, from: number, to: number = bars.day.length): Bars {
  return {
    day: bars.day.subarray(from, to),
    open: bars.open.subarray(from, to),
    high: bars.high.subarray(from, to),
    low: bars.low.subarray(from, to),
    close: bars.close.subarray(from, to),
    volume: bars.volume.subarray(from, to),
  };
}

/** The bars up to and including `day`: what was known at that day's close. */
export function historyUpTo(bars: Bars, day: number): Bars {
  const rows = day - (bars.day[0] ?? day + 1) + 1;
  return sliceBars(bars, 0, Math.min(Math.max(rows, 0), bars.day.length));
}

/** Row of `day`, or -1 when it is outside the bars. No search is needed because no day is missing. */
export function rowOfDay(bars: Bars, day: number): number {
  const first = bars.day[0];
  if (first === undefined) return -1;
  const row = day - first;
  return row >= 0 && row < bars.day.length ? row : -1;
}

/** Whether two histories have the same numbers on the same days. */
export function sameBars(one: Bars, other: Bars): boolean {
  const columns = ["day", "open", "high", "low", "close", "volume"] as const;
  return columns.every(
    (name) =>
      one[name].length === other[name].length &&
      one[name].every((value, row) => value === other[name][row]),
  );
}
