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
export type AveragePeriod = (typeof AVERAGE_PERIODS)[number];

/**
 * One coin's indicators, each as long as its bars, NaN in its warm-up. Prices are in dollars, oscillators in
 * points and `roc` in percent, as in its definition. Realised volatility and drawdown are fractions.
 */
export type IndicatorColumns = Readonly<ReturnType<typeof computeIndicators>>;

export type IndicatorColumn = keyof IndicatorColumns;

/** Every indicator column of a coin. */
export function computeIndicators(bars: Bars) {
  return { ...oscillators(bars), ...averages(bars), ...channels(bars) };
}

function oscillators(bars: Bars) {
  const { close } = bars;
  const convergence = macd(close, 12, 26, 9);
  const slow = stochastic(bars, 14, 3, 3);
  const strength = stochRsi(close, 14, 14, 3, 3);
  const direction = adx(bars, 14);
  const power = bullBearPower(bars, 13);
  const extremes = aroon(bars, 25);
  return {
    rsi14: rsi(close, 14),
    macdLine: convergence.line,
    macdSignal: convergence.signal,
    macdHistogram: convergence.histogram,
    stochK: slow.k,
    stochD: slow.d,
    stochRsiK: strength.k,
    stochRsiD: strength.d,
    cci20: cci(bars, 20),
    adx14: direction.adx,
    plusDi14: direction.plusDi,
    minusDi14: direction.minusDi,
    awesomeOscillator: awesomeOscillator(bars),
    momentum10: momentum(close, 10),
    roc12: roc(close, 12),
    williamsR14: williamsR(bars, 14),
    bullPower13: power.bull,
    bearPower13: power.bear,
    ultimateOscillator: ultimateOscillator(bars, 7, 14, 28),
    aroonUp: extremes.up,
    aroonDown: extremes.down,
  };
}

function averages(bars: Bars) {
  const { close } = bars;
  const cloud = ichimoku(bars, 9, 26, 52);
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
    vwma20: vwma(bars, 20),
    ichimokuConversion: cloud.conversion,
    ichimokuBase: cloud.base,
    ichimokuLead1: cloud.lead1,
    ichimokuLead2: cloud.lead2,
  };
}

function channels(bars: Bars) {
  const { close } = bars;
  const trend = supertrend(bars, 10, 3);
  const deviations = bollinger(close, 20, 2);
  const ranges = keltner(bars, 20, 10, 2);
  const extremes = donchian(bars, 20);
  return {
    supertrend: trend.value,
    supertrendDirection: trend.direction,
    parabolicSar: parabolicSar(bars, 0.02, 0.2),
    bollingerUpper: deviations.upper,
    bollingerMiddle: deviations.middle,
    bollingerLower: deviations.lower,
    keltnerUpper: ranges.upper,
    keltnerMiddle: ranges.middle,
    keltnerLower: ranges.lower,
    donchianUpper: extremes.upper,
    donchianMiddle: extremes.middle,
    donchianLower: extremes.lower,
    atr14: atr(bars, 14),
    realizedVolatility30d: realizedVolatility(close, 30),
    drawdownFromHigh: drawdownFromHigh(close),
    mfi14: mfi(bars, 14),
    obv: obv(bars),
  };
}
