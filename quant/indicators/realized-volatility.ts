import { DAYS_PER_YEAR } from "../calendar.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { squaredDeviations } from "./squared-deviations.ts";

/**
 * Realised volatility: sample standard deviation (n - 1) of the last `period` daily log returns, times the
 * square root of 365 days per year; a fraction (0.6 is 60 % a year). Source: J. C. Hull, "Options, Futures,
 * and Other Derivatives", estimating volatility from historical data.
 */
export function realizedVolatility(close: Float64Array, period: number): Float64Array {
  checkPeriod("volatility period", period, 2);
  const returns = blankColumn(close.length);
  for (let row = firstNumberRow(close) + 1; row < close.length; row++) {
    returns[row] = Math.log(close[row]! / close[row - 1]!);
  }
  const out = squaredDeviations(returns, period);
  const scale = DAYS_PER_YEAR / (period - 1);
  for (let row = 0; row < out.length; row++) out[row] = Math.sqrt(out[row]! * scale);
  return out;
}
