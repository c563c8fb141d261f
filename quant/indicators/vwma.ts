import type { Bars } from "../bars.ts";
import { slidingSum } from "./sliding-sum.ts";
import { sma } from "./sma.ts";

/**
 * Volume-weighted moving average of the last `period` closes. Source: TradingView, ta.vwma.
 *
 * A window without any volume has no weights, and gets the plain average (ta.vwma has no value there). The
 * average of equal closes is exactly that close.
 */
export function vwma(
  { close, volume }: Pick<Bars, "close" | "volume">,
  period: number,
): Float64Array {
  const turnover = new Float64Array(close.length);
  for (let row = 0; row < close.length; row++) turnover[row] = close[row]! * volume[row]!;
  const turnoverSums = slidingSum(turnover, period);
  const volumeSums = slidingSum(volume, period);
  const out = sma(close, period);
  let equalRun = 0;
  for (let row = 0; row < close.length; row++) {
    equalRun = row > 0 && close[row] === close[row - 1] ? equalRun + 1 : 1;
    const weighted = volumeSums[row] !== 0 && equalRun < period;
    if (weighted) out[row] = turnoverSums[row]! / volumeSums[row]!;
  }
  return out;
}
