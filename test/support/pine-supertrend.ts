import type { Bars } from "../../quant/bars.ts";
import { rma } from "../../quant/indicators/rma.ts";
import { trueRange } from "../../quant/indicators/true-range.ts";

/** ta.supertrend as TradingView's reference manual writes it out; its direction is -1 for up. */
export function pineSupertrend({ high, low, close }: Bars, period: number, factor: number) {
  const ranges = rma(trueRange({ high, low, close }), period);
  const value: number[] = [];
  const direction: number[] = [];
  const lowerBands: number[] = [];
  const upperBands: number[] = [];
  const nz = (number: number | undefined) =>
    number === undefined || Number.isNaN(number) ? 0 : number;
  for (let bar = 0; bar < close.length; bar++) {
    const source = (high[bar]! + low[bar]!) / 2;
    let upper = source + factor * ranges[bar]!;
    let lower = source - factor * ranges[bar]!;
    const lowerBefore = nz(lowerBands[bar - 1]);
    const upperBefore = nz(upperBands[bar - 1]);
    const closeBefore = close[bar - 1]!;
    lower = lower > lowerBefore || closeBefore < lowerBefore ? lower : lowerBefore;
    upper = upper < upperBefore || closeBefore > upperBefore ? upper : upperBefore;
    let trend: number;
    if (bar === 0 || Number.isNaN(ranges[bar - 1]!)) trend = 1;
    else if (value[bar - 1] === upperBefore) trend = close[bar]! > upper ? -1 : 1;
    else trend = close[bar]! < lower ? 1 : -1;
    lowerBands.push(Number.isNaN(ranges[bar]!) ? NaN : lower);
    upperBands.push(Number.isNaN(ranges[bar]!) ? NaN : upper);
    value.push(trend === -1 ? lowerBands[bar]! : upperBands[bar]!);
    direction.push(Number.isNaN(ranges[bar]!) ? NaN : trend);
  }
  return { value, direction: direction.map((trend) => -trend) };
}
