import type { Bars } from "../bars.ts";
import { blankColumn } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { rowsOfExtreme } from "./rolling-extreme.ts";

/**
 * Aroon: how recent the highest high (`up`) and the lowest low (`down`) of today and the last `period` days are,
 * from 100 for today to 0 for `period` days ago. On a tie, the latest counts. Source: TA-Lib, AROON; T. Chande
 * (1995).
 */
export function aroon({ high, low }: Pick<Bars, "high" | "low">, period: number) {
  checkPeriod("Aroon period", period);
  return {
    up: freshness(rowsOfExtreme(high, period + 1, 1), period),
    down: freshness(rowsOfExtreme(low, period + 1, -1), period),
  };
}

function freshness(extremeRows: Int32Array, period: number): Float64Array {
  const out = blankColumn(extremeRows.length);
  for (let row = 0; row < out.length; row++) {
    const extreme = extremeRows[row]!;
    if (extreme >= 0) out[row] = (100 * (period - (row - extreme))) / period;
  }
  return out;
}
