import type { Bars } from "../bars.ts";
import { adx } from "../indicators/adx.ts";
import { aroon } from "../indicators/aroon.ts";
import { cci } from "../indicators/cci.ts";
import { middleOf } from "../indicators/column.ts";
import { ema } from "../indicators/ema.ts";
import { macd } from "../indicators/macd.ts";
import { mfi } from "../indicators/mfi.ts";
import { parabolicSar } from "../indicators/parabolic-sar.ts";
import { realizedVolatility } from "../indicators/realized-volatility.ts";
import { rma } from "../indicators/rma.ts";
import { rollingMaxima, rollingMinima } from "../indicators/rolling-extreme.ts";
import { rsi } from "../indicators/rsi.ts";
import { sma } from "../indicators/sma.ts";
import { standardDeviation } from "../indicators/standard-deviation.ts";
import { stochasticIn } from "../indicators/stochastic.ts";
import { supertrendOf } from "../indicators/supertrend.ts";
import { trueRange } from "../indicators/true-range.ts";
import { williamsRIn } from "../indicators/williams-r.ts";

export type Market = ReturnType<typeof createMarket>;

/**
 * One coin's bars and the indicators that templates read. Each indicator is computed on first use and then
 * kept: 286 runs on a coin share about a third as many columns. Callers must not write to the columns.
 */
export function createMarket(bars: Bars) {
  const { high, low, close } = bars;
  const highestHigh = rollingMaxima(high);
  const lowestLow = rollingMinima(low);
  const range = (period: number) => ({ highest: highestHigh(period), lowest: lowestLow(period) });
  const ranges = remember(() => trueRange(bars));
  const averageRange = remember((period) => rma(ranges(), period));
  const logClose = remember(() => close.map((value) => Math.log(value)));
  const volatility = remember((days) => realizedVolatility(close, days));
  return {
    bars,
    sma: remember((period) => sma(close, period)),
    ema: remember((period) => ema(close, period)),
    macd: remember((fast, slow, signal) => macd(close, fast, slow, signal)),
    rsi: remember((period) => rsi(close, period)),
    stochastic: remember((kPeriod, kSmoothing, dSmoothing) =>
      stochasticIn(range(kPeriod), close, kSmoothing, dSmoothing),
    ),
    cci: remember((period) => cci(bars, period)),
    williamsR: remember((period) => williamsRIn(range(period), close)),
    mfi: remember((period) => mfi(bars, period)),
    adx: remember((period) => adx(bars, period)),
    aroon: remember((period) => aroon(bars, period)),
    /** Population standard deviation of the closes. */
    deviation: remember((period) => standardDeviation(close, period)),
    /** TradingView's ta.atr: Wilder's average of the true range, including the first day's. */
    averageRange,
    highestHigh,
    lowestLow,
    /** Middle of the range of the last days, from which Ichimoku's lines are made. */
    rangeMiddle: remember((period) => middleOf(highestHigh(period), lowestLow(period))),
    supertrend: remember((period, multiplier) =>
      supertrendOf(bars, averageRange(period), multiplier),
    ),
    parabolicSar: remember((step, maximum) => parabolicSar(bars, step, maximum)),
    logClose,
    logCloseMean: remember((period) => sma(logClose(), period)),
    logCloseDeviation: remember((period) => standardDeviation(logClose(), period)),
    volatility,
    averageVolatility: remember((days, period) => sma(volatility(days), period)),
  };
}

/** Calls `compute` once for each list of parameters and keeps the result. */
function remember<Key extends number[], Value>(
  compute: (...key: Key) => Value,
): (...key: Key) => Value {
  const known = new Map<string, Value>();
  return (...key) => {
    const name = key.join();
    let value = known.get(name);
    if (value === undefined) {
      value = compute(...key);
      known.set(name, value);
    }
    return value;
  };
}
