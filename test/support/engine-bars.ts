import type { Bars } from "../../quant/bars.ts";

/** Bars of the given opens and closes; high and low span them, volume is 1. The first day is 20000. */
export function barsOf(open: readonly number[], close: readonly number[]): Bars {
  return {
    day: Int32Array.from(open, (_, row) => 20_000 + row),
    open: Float64Array.from(open),
    high: Float64Array.from(open, (price, row) => Math.max(price, close[row]!)),
    low: Float64Array.from(open, (price, row) => Math.min(price, close[row]!)),
    close: Float64Array.from(close),
    volume: new Float64Array(open.length).fill(1),
  };
}

/** Flags from one letter a day: E enter, X exit, B both, anything else none. */
export function flagsOfLetters(letters: string): Uint8Array {
  return Uint8Array.from(letters, (letter) => ({ E: 1, X: 2, B: 3 })[letter] ?? 0);
}
