import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";

/**
 * Relative Strength Index, 0 to 100, Wilder's smoothing. Source: TA-Lib, RSI.
 *
 * Row `period` holds the first value: it needs `period` changes, so `period + 1` closes. The seed is the
 * plain mean of the first `period` gains and losses. Without any loss the value is 100. With gains and
 * losses of exactly 0 it is 0, as in TA-Lib 0.8.1 (others say 50).
 */
export function rsi(close: Float64Array, period: number): Float64Array {
  checkPeriod("RSI period", period);
  const out = blankColumn(close.length);
  const first = firstNumberRow(close);
  let gain = 0;
  let loss = 0;
  for (let row = first + 1; row < close.length; row++) {
    const change = close[row]! - close[row - 1]!;
    const changes = row - first;
    const weight = changes < period ? changes : period;
    gain += ((change > 0 ? change : 0) - gain) / weight;
    loss += ((change < 0 ? -change : 0) - loss) / weight;
    if (changes < period) continue;
    const total = gain + loss;
    out[row] = total === 0 ? 0 : 100 * (gain / total);
  }
  return out;
}
