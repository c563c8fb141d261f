import { DAYS_PER_YEAR } from "../calendar.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { squaredDeviations } from "./squared-deviations.ts";

/**
 * Daily log returns whose deviation is at most this are equal. The two closes of a return and their ratio are
 * each rounded by up to 1.1e-16 of themselves, so the returns of steady growth differ by some 2e-16.
 */
const NO_SPREAD = 1e-15;

/**
 * Realised volatility: sample standard deviation (n - 1) of the last `period` daily log returns, times the
 * square root of 365 days per year; a fraction (0.6 is 60 % a year). Source: J. C. Hull, "Options, Futures,
 * and Other Derivatives", estimating volatility from historical data.
 */
export function realizedVolatility(close: Float64Array, period: number): Float64Array {
  const returns = blankColumn(close.length);
  for (let row = firstNumberRow(close) + 1; row < close.length; row++) {
    returns[row] = Math.log(close[row]! / close[row - 1]!);
  }
  const out = squaredDeviations(returns, period);
  const scale = DAYS_PER_YEAR / (period - 1);
  const rounding = NO_SPREAD * NO_SPREAD * (period - 1);
  for (let row = 0; row < out.length; row++) {
    out[row] = out[row]! <= rounding ? 0 : Math.sqrt(out[row]! * scale);
  }
  return out;
}
