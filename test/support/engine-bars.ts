import type { Bars } from "../../quant/bars.ts";

/** Bars from rows of [open, close]; high and low span them, volume is 1. The first day is 20000. */
export function barsOf(rows: readonly (readonly [open: number, close: number])[]): Bars {
  return {
    day: Int32Array.from(rows, (_, row) => 20_000 + row),
    open: Float64Array.from(rows, ([open]) => open),
    high: Float64Array.from(rows, ([open, close]) => Math.max(open, close)),
    low: Float64Array.from(rows, ([open, close]) => Math.min(open, close)),
    close: Float64Array.from(rows, ([, close]) => close),
    volume: new Float64Array(rows.length).fill(1),
  };
}

/** Flags from one letter a day: E enter, X exit, B both, anything else none. */
export function flagsOfLetters(letters: string): Uint8Array {
  return Uint8Array.from(letters, (letter) => ({ E: 1, X: 2, B: 3 })[letter] ?? 0);
}
