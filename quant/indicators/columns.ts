import type { Bars } from "../bars.ts";
import { adx } from "./adx.ts";
import { aroon } from "./aroon.ts";
import { atr } from "./atr.ts";
import { awesomeOscillator } from "./awesome-oscillator.ts";
import { bollinger } from "./bollinger.ts";
import { bullBearPower } from "./bull-bear-power.ts";
import { cci } from "./cci.ts";
import type { IndicatorColumns } from "./column-list.ts";
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

const STOCHASTIC = { kPeriod: 14, kSmoothing: 3, dSmoothing: 3 };
const STOCH_RSI = { rsiPeriod: 14, stochPeriod: 14, kSmoothing: 3, dSmoothing: 3 };
const ULTIMATE = { short: 7, medium: 14, long: 28 };
const ICHIMOKU = { conversion: 9, base: 26, spanB: 52 };
const KELTNER = { period: 20, atrPeriod: 10, multiplier: 2 };

/** Every indicator column of a coin, as `INDICATOR_COLUMNS` describes them. */
export function computeIndicators(bars: Bars): IndicatorColumns {
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
    rsi_14: rsi(close, 14),
    macd_line: convergence.line,
    macd_signal: convergence.signal,
    macd_histogram: convergence.histogram,
    stoch_k: slow.k,
    stoch_d: slow.d,
    stoch_rsi_k: strength.k,
    stoch_rsi_d: strength.d,
    cci_20: cci(high, low, close, 20),
    adx_14: direction.adx,
    plus_di_14: direction.plusDi,
    minus_di_14: direction.minusDi,
    awesome_oscillator: awesomeOscillator(high, low),
    momentum_10: momentum(close, 10),
    roc_12: roc(close, 12),
    williams_r_14: williamsR(high, low, close, 14),
    bull_power_13: power.bull,
    bear_power_13: power.bear,
    ultimate_oscillator: ultimateOscillator(high, low, close, ULTIMATE),
    aroon_up: extremes.up,
    aroon_down: extremes.down,
  };
}

function averages({ high, low, close, volume }: Bars) {
  const cloud = ichimoku(high, low, ICHIMOKU);
  return {
    ema_10: ema(close, 10),
    ema_20: ema(close, 20),
    ema_30: ema(close, 30),
    ema_50: ema(close, 50),
    ema_100: ema(close, 100),
    ema_200: ema(close, 200),
    sma_10: sma(close, 10),
    sma_20: sma(close, 20),
    sma_30: sma(close, 30),
    sma_50: sma(close, 50),
    sma_100: sma(close, 100),
    sma_200: sma(close, 200),
    hull_ma_9: hullMa(close, 9),
    vwma_20: vwma(close, volume, 20),
    ichimoku_conversion: cloud.conversion,
    ichimoku_base: cloud.base,
    ichimoku_lead1: cloud.lead1,
    ichimoku_lead2: cloud.lead2,
  };
}

function channels({ high, low, close }: Bars) {
  const trend = supertrend(high, low, close, 10, 3);
  const deviations = bollinger(close, 20, 2);
  const ranges = keltner(high, low, close, KELTNER);
  const extremes = donchian(high, low, 20);
  return {
    supertrend: trend.value,
    supertrend_direction: trend.direction,
    parabolic_sar: parabolicSar(high, low, 0.02, 0.2),
    bollinger_upper: deviations.upper,
    bollinger_middle: deviations.middle,
    bollinger_lower: deviations.lower,
    keltner_upper: ranges.upper,
    keltner_middle: ranges.middle,
    keltner_lower: ranges.lower,
    donchian_upper: extremes.upper,
    donchian_middle: extremes.middle,
    donchian_lower: extremes.lower,
    atr_14: atr(high, low, close, 14),
    realized_volatility_30d_pct: percent(realizedVolatility(close, 30)),
    drawdown_from_high_pct: percent(drawdownFromHigh(close)),
  };
}

function volumes({ high, low, close, volume }: Bars) {
  return { mfi_14: mfi(high, low, close, volume, 14), obv: obv(close, volume) };
}

/** Turns fractions into percent in place: these two are table columns, and tables are the edge of `quant`. */
function percent(fractions: Float64Array): Float64Array {
  for (let row = 0; row < fractions.length; row++) fractions[row] = fractions[row]! * 100;
  return fractions;
}
