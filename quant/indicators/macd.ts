import { differenceOf, firstNumberRow } from "./column.ts";
import { ema } from "./ema.ts";
import { smoothExponentially } from "./exponential.ts";
import { checkPeriod } from "./period.ts";

/**
 * Moving average convergence divergence: the line is the fast EMA minus the slow one, the signal line is the EMA
 * of the line, and the histogram is line minus signal line. Source: TA-Lib, MACD.
 *
 * As there, the fast EMA does not start at the first close. It is seeded on the same day as the slow one,
 * with the mean of the `fast` closes up to that day. The line begins on that day; the signal line and the
 * histogram begin `signal - 1` days later.
 */
export function macd(close: Float64Array, fast: number, slow: number, signal: number) {
  checkPeriod("MACD slow period", slow, fast + 1);
  const seedRow = firstNumberRow(close) + slow - 1;
  const fastAverage = smoothExponentially(close, fast, 2 / (fast + 1), seedRow);
  const slowAverage = smoothExponentially(close, slow, 2 / (slow + 1), seedRow);
  const line = differenceOf(fastAverage, slowAverage);
  const signalLine = ema(line, signal);
  return {
    line,
    signal: signalLine,
    histogram: differenceOf(line, signalLine),
  };
}
