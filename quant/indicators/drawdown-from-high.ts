import { blankColumn, firstNumberRow } from "./column.ts";

/**
 * The close relative to the highest close so far, as a fraction: 0 on a new high, -0.25 when a quarter
 * below it. The history's first close is its first high.
 */
export function drawdownFromHigh(close: Float64Array): Float64Array {
  const out = blankColumn(close.length);
  let peak = -Infinity;
  for (let row = firstNumberRow(close); row < close.length; row++) {
    if (close[row]! > peak) peak = close[row]!;
    out[row] = close[row]! / peak - 1;
  }
  return out;
}
