import type { Bars } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";

/**
 * On-balance volume: the running total of volume, added on a day whose close rose and subtracted on one
 * whose close fell. Source: TA-Lib, OBV, which adds the first day's whole volume.
 */
export function obv({ close, volume }: Pick<Bars, "close" | "volume">): Float64Array {
  const out = blankColumn(close.length);
  const first = firstNumberRow(close, volume);
  let balance = 0;
  for (let row = first; row < close.length; row++) {
    if (row === first || close[row]! > close[row - 1]!) balance += volume[row]!;
    else if (close[row]! < close[row - 1]!) balance -= volume[row]!;
    out[row] = balance;
  }
  return out;
}
