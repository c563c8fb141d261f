import type { Prices } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";
import { slidingSum } from "./sliding-sum.ts";
import { trueRange } from "./true-range.ts";

/**
 * Ultimate oscillator, 0 to 100: buying pressure (close minus true low) over true range, summed over three
 * periods and weighted 4 : 2 : 1. Source: TA-Lib, ULTOSC; L. Williams (1985). The first day has no previous
 * one and does not count. As there, a period whose range is exactly zero adds 0.
 */
export function ultimateOscillator(
  prices: Prices,
  short: number,
  medium: number,
  long: number,
): Float64Array {
  checkPeriod("ultimate oscillator medium period", medium, short + 1);
  checkPeriod("ultimate oscillator long period", long, medium + 1);
  const { low, close } = prices;
  const ranges = trueRange(prices);
  const pressure = blankColumn(close.length);
  const first = firstNumberRow(ranges);
  for (let row = first + 1; row < close.length; row++) {
    pressure[row] = close[row]! - Math.min(low[row]!, close[row - 1]!);
  }
  ranges[first] = NaN;
  const shortShare = pressureShare(pressure, ranges, short);
  const mediumShare = pressureShare(pressure, ranges, medium);
  const out = pressureShare(pressure, ranges, long);
  for (let row = 0; row < out.length; row++) {
    out[row] = (100 * (4 * shortShare[row]! + 2 * mediumShare[row]! + out[row]!)) / 7;
  }
  return out;
}

function pressureShare(pressure: Float64Array, ranges: Float64Array, period: number): Float64Array {
  const out = slidingSum(pressure, period);
  const total = slidingSum(ranges, period);
  for (let row = 0; row < out.length; row++) {
    out[row] = total[row] === 0 ? 0 : out[row]! / total[row]!;
  }
  return out;
}
