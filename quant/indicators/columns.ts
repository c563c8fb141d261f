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

const POINTS = "points";
const USD = "usd";

/** Periods of the simple and the exponential moving averages of a reading, in days. */
export const AVERAGE_PERIODS = [10, 20, 30, 50, 100, 200] as const;

/** Name, unit and meaning of every indicator column, in table order. */
export const INDICATOR_COLUMNS = [
  column("rsi_14", POINTS, "relative strength index over 14 days, 0 to 100"),
  column("macd_line", USD, "MACD: 12-day less 26-day exponential average of the close"),
  column("macd_signal", USD, "MACD signal line: 9-day exponential average of macd_line"),
  column("macd_histogram", USD, "macd_line less macd_signal"),
  column("supertrend", USD, "SuperTrend line, 10 days and 3 average true ranges"),
  column("supertrend_direction", "direction", "SuperTrend direction: 1 up-trend, -1 down-trend"),
  column("stoch_k", POINTS, "slow stochastic %K, 14 days smoothed over 3, 0 to 100"),
  column("stoch_d", POINTS, "slow stochastic %D: 3-day average of stoch_k"),
  column("stoch_rsi_k", POINTS, "stochastic %K of the 14-day RSI, 14 days smoothed over 3"),
  column("stoch_rsi_d", POINTS, "3-day average of stoch_rsi_k"),
  column("cci_20", POINTS, "commodity channel index over 20 days"),
  column("adx_14", POINTS, "average directional index over 14 days, 0 to 100"),
  column("plus_di_14", POINTS, "positive directional indicator over 14 days, 0 to 100"),
  column("minus_di_14", POINTS, "negative directional indicator over 14 days, 0 to 100"),
  column("awesome_oscillator", USD, "awesome oscillator: 5-day less 34-day average of the middle"),
  column("momentum_10", USD, "close less the close 10 days before"),
  column("williams_r_14", POINTS, "Williams %R over 14 days, -100 to 0"),
  column("bull_power_13", USD, "high less 13-day exponential average of the close"),
  column("bear_power_13", USD, "low less 13-day exponential average of the close"),
  column("ultimate_oscillator", POINTS, "ultimate oscillator over 7, 14 and 28 days, 0 to 100"),
  column("ema_10", USD, "exponential average of the close over 10 days"),
  column("ema_20", USD, "exponential average of the close over 20 days"),
  column("ema_30", USD, "exponential average of the close over 30 days"),
  column("ema_50", USD, "exponential average of the close over 50 days"),
  column("ema_100", USD, "exponential average of the close over 100 days"),
  column("ema_200", USD, "exponential average of the close over 200 days"),
  column("sma_10", USD, "simple average of the close over 10 days"),
  column("sma_20", USD, "simple average of the close over 20 days"),
  column("sma_30", USD, "simple average of the close over 30 days"),
  column("sma_50", USD, "simple average of the close over 50 days"),
  column("sma_100", USD, "simple average of the close over 100 days"),
  column("sma_200", USD, "simple average of the close over 200 days"),
  column("hull_ma_9", USD, "Hull moving average of the close over 9 days"),
  column("vwma_20", USD, "volume-weighted average of the close over 20 days"),
  column("ichimoku_conversion", USD, "Ichimoku conversion line: middle of the 9-day range"),
  column("ichimoku_base", USD, "Ichimoku base line: middle of the 26-day range"),
  column("ichimoku_lead1", USD, "Ichimoku leading span A as computed that day, not displaced"),
  column("ichimoku_lead2", USD, "Ichimoku leading span B (52 days) as computed that day"),
  column("bollinger_upper", USD, "Bollinger band, 20 days: middle plus 2 standard deviations"),
  column("bollinger_middle", USD, "Bollinger middle: 20-day simple average of the close"),
  column("bollinger_lower", USD, "Bollinger band, 20 days: middle less 2 standard deviations"),
  column("atr_14", USD, "average true range over 14 days"),
  column("keltner_upper", USD, "Keltner channel: middle plus 2 average true ranges of 10 days"),
  column("keltner_middle", USD, "Keltner middle: 20-day exponential average of the close"),
  column("keltner_lower", USD, "Keltner channel: middle less 2 average true ranges of 10 days"),
  column("donchian_upper", USD, "highest high of 20 days, the day included"),
  column("donchian_middle", USD, "mean of donchian_upper and donchian_lower"),
  column("donchian_lower", USD, "lowest low of 20 days, the day included"),
  column("aroon_up", POINTS, "Aroon up over 25 days: 100 on a new high, 0 when it is 25 days old"),
  column(
    "aroon_down",
    POINTS,
    "Aroon down over 25 days: 100 on a new low, 0 when it is 25 days old",
  ),
  column("parabolic_sar", USD, "parabolic stop and reverse, acceleration 0.02 up to 0.2"),
  column("mfi_14", POINTS, "money flow index over 14 days, 0 to 100"),
  column("obv", "coins", "on-balance volume since the coin's first day"),
  column("roc_12", "percent", "rate of change of the close over 12 days"),
  column(
    "realized_volatility_30d_pct",
    "percent",
    "standard deviation of 30 daily log returns, a year of 365 days",
  ),
  column("drawdown_from_high_pct", "percent", "close against the highest close so far, 0 or below"),
] as const;

export type IndicatorColumn = (typeof INDICATOR_COLUMNS)[number]["name"];

/** One coin's indicators, each as long as its bars, NaN in its warm-up. */
export type IndicatorColumns = Readonly<Record<IndicatorColumn, Float64Array>>;

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

function column<Name extends string>(name: Name, unit: string, description: string) {
  return { name, unit, description };
}
