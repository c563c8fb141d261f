import type { Bars } from "../bars.ts";
import { adx } from "./adx.ts";
import { aroon } from "./aroon.ts";
import { atr } from "./atr.ts";
import { awesomeOscillator } from "./awesome-oscillator.ts";
import { bollinger } from "./bollinger.ts";
import { bullBearPower } from "./bull-bear-power.ts";
import { cci } from "./cci.ts";
import { donchian } from "./donchian.ts";
import { drawdownFromHigh } from "./drawdown-from-high.ts";
import { ema } from "./ema.ts";
import { hullMa } from "./hull-ma.ts";
import { ichimoku } from "./ichimoku.ts";
import { keltner } from "./keltner.ts";
import { macd } from "./macd.ts";
import { mfi } from "./mfi.ts";
import { momentum } from "./momentum.ts";
import { obv } from "./obv.ts";
import { parabolicSar } from "./parabolic-sar.ts";
import { realizedVolatility } from "./realized-volatility.ts";
import { roc } from "./roc.ts";
import { rsi } from "./rsi.ts";
import { sma } from "./sma.ts";
import { stochRsi } from "./stoch-rsi.ts";
import { stochastic } from "./stochastic.ts";
import { supertrend } from "./supertrend.ts";
import { ultimateOscillator } from "./ultimate-oscillator.ts";
import { vwma } from "./vwma.ts";
import { williamsR } from "./williams-r.ts";

/** Periods of the simple and the exponential moving averages of a reading, in days. */
export const AVERAGE_PERIODS = [10, 20, 30, 50, 100, 200] as const;

/**
 * One coin's indicators, each as long as its bars, NaN in its warm-up. Prices are in dollars, oscillators in points, `roc`
 * in percent as in its definition; realised volatility and drawdown are fractions.
 */
export type IndicatorColumns = Readonly<ReturnType<typeof computeIndicators>>;

export type IndicatorColumn = keyof IndicatorColumns;

const STOCHASTIC = { kPeriod: 14, kSmoothing: 3, dSmoothing: 3 };
const STOCH_RSI = { rsiPeriod: 14, stochPeriod: 14, kSmoothing: 3, dSmoothing: 3 };
const ULTIMATE = { short: 7, medium: 14, long: 28 };
const ICHIMOKU = { conversion: 9, base: 26, spanB: 52 };
const KELTNER = { period: 20, atrPeriod: 10, multiplier: 2 };

/** Every indicator column of a coin. */
export function computeIndicators(bars: Bars) {
  return { ...oscillators(bars), ...averages(bars), ...channels(bars), ...volumes(bars) };
}

function oscillators({ high, low, close }: Bars) {
  const convergence = macd(close, 12, 26, 9);
  const slow = stochastic(high, low, close, STOCHASTIC);
  const strength = stochRsi(close, STOCH_RSI);
  const direction = adx(high, low, close, 14);
  const power = bullBearPower(high, low, close, 13);
  const extremes = aroon(high, low, 25);
  return {
    rsi14: rsi(close, 14),
    macdLine: convergence.line,
    macdSignal: convergence.signal,
    macdHistogram: convergence.histogram,
    stochK: slow.k,
    stochD: slow.d,
    stochRsiK: strength.k,
    stochRsiD: strength.d,
    cci20: cci(high, low, close, 20),
    adx14: direction.adx,
    plusDi14: direction.plusDi,
    minusDi14: direction.minusDi,
    awesomeOscillator: awesomeOscillator(high, low),
    momentum10: momentum(close, 10),
    roc12: roc(close, 12),
    williamsR14: williamsR(high, low, close, 14),
    bullPower13: power.bull,
    bearPower13: power.bear,
    ultimateOscillator: ultimateOscillator(high, low, close, ULTIMATE),
    aroonUp: extremes.up,
    aroonDown: extremes.down,
  };
}

function averages({ high, low, close, volume }: Bars) {
  const cloud = ichimoku(high, low, ICHIMOKU);
  return {
    ema10: ema(close, 10),
    ema20: ema(close, 20),
    ema30: ema(close, 30),
    ema50: ema(close, 50),
    ema100: ema(close, 100),
    ema200: ema(close, 200),
    sma10: sma(close, 10),
    sma20: sma(close, 20),
    sma30: sma(close, 30),
    sma50: sma(close, 50),
    sma100: sma(close, 100),
    sma200: sma(close, 200),
    hullMa9: hullMa(close, 9),
    vwma20: vwma(close, volume, 20),
    ichimokuConversion: cloud.conversion,
    ichimokuBase: cloud.base,
    ichimokuLead1: cloud.lead1,
    ichimokuLead2: cloud.lead2,
  };
}

function channels({ high, low, close }: Bars) {
  const trend = supertrend(high, low, close, 10, 3);
  const deviations = bollinger(close, 20, 2);
  const ranges = keltner(high, low, close, KELTNER);
  const extremes = donchian(high, low, 20);
  return {
    supertrend: trend.value,
    supertrendDirection: trend.direction,
    parabolicSar: parabolicSar(high, low, 0.02, 0.2),
    bollingerUpper: deviations.upper,
    bollingerMiddle: deviations.middle,
    bollingerLower: deviations.lower,
    keltnerUpper: ranges.upper,
    keltnerMiddle: ranges.middle,
    keltnerLower: ranges.lower,
    donchianUpper: extremes.upper,
    donchianMiddle: extremes.middle,
    donchianLower: extremes.lower,
    atr14: atr(high, low, close, 14),
    realizedVolatility30d: realizedVolatility(close, 30),
    drawdownFromHigh: drawdownFromHigh(close),
  };
}

function volumes({ high, low, close, volume }: Bars) {
  return { mfi14: mfi(high, low, close, volume, 14), obv: obv(close, volume) };
}
