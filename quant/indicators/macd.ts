import { blankColumn, firstNumberRow } from "./column.ts";
import { ema } from "./ema.ts";
import { smoothExponentially } from "./exponential.ts";
import { checkPeriod } from "./period.ts";

interface Macd {
  /** Fast EMA minus slow EMA. */
  readonly line: Float64Array;
  /** EMA of the line. */
  readonly signal: Float64Array;
  /** Line minus signal. */
  readonly histogram: Float64Array;
}

/**
 * Moving average convergence divergence. Source: TA-Lib, MACD.
 *
 * As there, the fast EMA does not start at the first close. It is seeded on the same day as the slow one,
 * with the mean of the `fast` closes up to that day. The line begins on that day; signal and histogram
 * begin `signal - 1` days later.
 */
export function macd(close: Float64Array, fast: number, slow: number, signal: number): Macd {
  checkPeriod("MACD fast period", fast);
  checkPeriod("MACD slow period", slow, fast + 1);
  checkPeriod("MACD signal period", signal);
  const seedRow = firstNumberRow(close) + slow - 1;
  const fastAverage = smoothExponentially(close, fast, 2 / (fast + 1), seedRow);
  const slowAverage = smoothExponentially(close, slow, 2 / (slow + 1), seedRow);
  const line = blankColumn(close.length);
  const histogram = blankColumn(close.length);
  for (let row = seedRow; row < close.length; row++) {
    line[row] = fastAverage[row]! - slowAverage[row]!;
  }
  const signalLine = ema(line, signal);
  for (let row = seedRow; row < close.length; row++) {
    histogram[row] = line[row]! - signalLine[row]!;
  }
  return { line, signal: signalLine, histogram };
}
