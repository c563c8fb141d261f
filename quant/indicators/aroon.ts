import { blankColumn } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { rowsOfMax, rowsOfMin } from "./rolling-extreme.ts";

export interface Aroon {
  /** 100 on a day with a new high, 0 when the highest high is `period` days old. */
  readonly up: Float64Array;
  /** 100 on a day with a new low, 0 when the lowest low is `period` days old. */
  readonly down: Float64Array;
}

/**
 * Aroon: how long ago, within today and the last `period` days, the highest high and the lowest low were;
 * on a tie, the latest. Source: TA-Lib, AROON; T. Chande (1995).
 */
export function aroon(high: Float64Array, low: Float64Array, period: number): Aroon {
  checkPeriod("Aroon period", period);
  return {
    up: freshness(rowsOfMax(high, period + 1), period),
    down: freshness(rowsOfMin(low, period + 1), period),
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
