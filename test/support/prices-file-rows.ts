import type { RawRow, SourceCoin } from "../../pipeline/price-rules/raw-row.ts";

/** A valid row: it opens 0.5 below the close, and low and high are 1 away from the close. */
export function rawRow(day: number, close: number, more: Partial<RawRow> = {}): RawRow {
  return {
    day,
    open: close - 0.5,
    high: close + 1,
    low: close - 1,
    close,
    volume: 10,
    line: 2,
    ...more,
  };
}

/** Valid rows for the given days, with closes of 100 plus the position. Lines count from 2. */
export function rawRows(...days: readonly number[]): RawRow[] {
  return days.map((day, index) => rawRow(day, 100 + index, { line: index + 2 }));
}

/** Numbers from `first` to `last`, both included. */
export function span(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The answer of a source that lists all it has of a coin. */
export function sourceCoin(rows: readonly RawRow[], more: Partial<SourceCoin> = {}): SourceCoin {
  return { ticker: "btc", rows, faults: [], fault: null, whole: true, fetchedFrom: null, ...more };
}
