import { expect, test } from "vitest";
import { adx } from "../../../quant/indicators/adx.ts";
import { aroon } from "../../../quant/indicators/aroon.ts";
import { atr } from "../../../quant/indicators/atr.ts";
import { bollinger } from "../../../quant/indicators/bollinger.ts";
import { bullBearPower } from "../../../quant/indicators/bull-bear-power.ts";
import { cci } from "../../../quant/indicators/cci.ts";
import { donchian } from "../../../quant/indicators/donchian.ts";
import { ema } from "../../../quant/indicators/ema.ts";
import { hullMa } from "../../../quant/indicators/hull-ma.ts";
import { ichimoku } from "../../../quant/indicators/ichimoku.ts";
import { keltner } from "../../../quant/indicators/keltner.ts";
import { macd } from "../../../quant/indicators/macd.ts";
import { mfi } from "../../../quant/indicators/mfi.ts";
import { momentum } from "../../../quant/indicators/momentum.ts";
import { parabolicSar } from "../../../quant/indicators/parabolic-sar.ts";
import { realizedVolatility } from "../../../quant/indicators/realized-volatility.ts";
import { rma } from "../../../quant/indicators/rma.ts";
import { roc } from "../../../quant/indicators/roc.ts";
import { rollingMax, rollingMin } from "../../../quant/indicators/rolling-extreme.ts";
import { rsi } from "../../../quant/indicators/rsi.ts";
import { slidingSum } from "../../../quant/indicators/sliding-sum.ts";
import { sma } from "../../../quant/indicators/sma.ts";
import { standardDeviation } from "../../../quant/indicators/standard-deviation.ts";
import { stochRsi } from "../../../quant/indicators/stoch-rsi.ts";
import { stochastic } from "../../../quant/indicators/stochastic.ts";
import { supertrend } from "../../../quant/indicators/supertrend.ts";
import { ultimateOscillator } from "../../../quant/indicators/ultimate-oscillator.ts";
import { vwma } from "../../../quant/indicators/vwma.ts";
import { williamsR } from "../../../quant/indicators/williams-r.ts";
import { wma } from "../../../quant/indicators/wma.ts";
import { TULIP } from "../../support/indicator-reference.ts";

const { high, low, close, volume } = TULIP;
const CLOUD = { conversion: 9, base: 26, spanB: 52 };
const CHANNEL = { period: 20, atrPeriod: 10, multiplier: 2 };
const STOCHASTIC = { kPeriod: 14, kSmoothing: 3, dSmoothing: 3 };
const STOCH_RSI = { rsiPeriod: 14, stochPeriod: 14, kSmoothing: 3, dSmoothing: 3 };
const ULTIMATE = { short: 7, medium: 14, long: 28 };

test.each<[string, (period: number) => unknown]>([
  ["adx", (period) => adx(high, low, close, period)],
  ["aroon", (period) => aroon(high, low, period)],
  ["atr", (period) => atr(high, low, close, period)],
  ["bollinger", (period) => bollinger(close, period, 2)],
  ["bullBearPower", (period) => bullBearPower(high, low, close, period)],
  ["cci", (period) => cci(high, low, close, period)],
  ["donchian", (period) => donchian(high, low, period)],
  ["ema", (period) => ema(close, period)],
  ["hullMa", (period) => hullMa(close, period)],
  ["ichimoku, conversion", (conversion) => ichimoku(high, low, { ...CLOUD, conversion })],
  ["ichimoku, base", (base) => ichimoku(high, low, { ...CLOUD, base })],
  ["ichimoku, span B", (spanB) => ichimoku(high, low, { ...CLOUD, spanB })],
  ["keltner", (period) => keltner(high, low, close, { ...CHANNEL, period })],
  ["keltner, range", (atrPeriod) => keltner(high, low, close, { ...CHANNEL, atrPeriod })],
  ["macd, fast", (period) => macd(close, period, 26, 9)],
  ["macd, slow", (period) => macd(close, 12, period, 9)],
  ["macd, signal", (period) => macd(close, 12, 26, period)],
  ["mfi", (period) => mfi(high, low, close, volume, period)],
  ["momentum", (period) => momentum(close, period)],
  ["realizedVolatility", (period) => realizedVolatility(close, period)],
  ["rma", (period) => rma(close, period)],
  ["roc", (period) => roc(close, period)],
  ["rollingMax", (period) => rollingMax(close, period)],
  ["rollingMin", (period) => rollingMin(close, period)],
  ["rsi", (period) => rsi(close, period)],
  ["slidingSum", (period) => slidingSum(close, period)],
  ["sma", (period) => sma(close, period)],
  ["standardDeviation", (period) => standardDeviation(close, period)],
  ["stochastic", (kPeriod) => stochastic(high, low, close, { ...STOCHASTIC, kPeriod })],
  ["stochastic, K", (kSmoothing) => stochastic(high, low, close, { ...STOCHASTIC, kSmoothing })],
  ["stochastic, D", (dSmoothing) => stochastic(high, low, close, { ...STOCHASTIC, dSmoothing })],
  ["stochRsi, RSI", (rsiPeriod) => stochRsi(close, { ...STOCH_RSI, rsiPeriod })],
  ["stochRsi", (stochPeriod) => stochRsi(close, { ...STOCH_RSI, stochPeriod })],
  ["supertrend", (period) => supertrend(high, low, close, period, 3)],
  ["ultimateOscillator", (short) => ultimateOscillator(high, low, close, { ...ULTIMATE, short })],
  ["vwma", (period) => vwma(close, volume, period)],
  ["williamsR", (period) => williamsR(high, low, close, period)],
  ["wma", (period) => wma(close, period)],
])("%s takes no period but whole days from 1 on", (_, compute) => {
  for (const period of [0, -1, 1.5, NaN, Infinity])
    expect(() => compute(period)).toThrow(RangeError);
});

test.each<[string, () => unknown]>([
  ["adx", () => adx(high, low, close, 1)],
  ["bollinger", () => bollinger(close, 1, 2)],
  ["cci", () => cci(high, low, close, 1)],
  ["hullMa", () => hullMa(close, 1)],
  ["realizedVolatility", () => realizedVolatility(close, 1)],
  ["standardDeviation", () => standardDeviation(close, 1)],
])("%s takes no single day", (_, compute) => {
  expect(compute).toThrow(RangeError);
});

test.each<[string, (factor: number) => unknown]>([
  ["bollinger", (multiplier) => bollinger(close, 20, multiplier)],
  ["keltner", (multiplier) => keltner(high, low, close, { ...CHANNEL, multiplier })],
  ["parabolicSar, acceleration", (factor) => parabolicSar(high, low, factor, 0.2)],
  ["parabolicSar, maximum", (factor) => parabolicSar(high, low, 0.02, factor)],
  ["supertrend", (multiplier) => supertrend(high, low, close, 10, multiplier)],
])("%s takes no factor but finite ones above 0", (_, compute) => {
  for (const factor of [0, -1, NaN, Infinity]) expect(() => compute(factor)).toThrow(RangeError);
});

test.each<[string, () => unknown]>([
  ["macd", () => macd(close, 26, 12, 9)],
  ["macd", () => macd(close, 12, 12, 9)],
  ["ultimateOscillator", () => ultimateOscillator(high, low, close, { ...ULTIMATE, short: 15 })],
  ["ultimateOscillator", () => ultimateOscillator(high, low, close, { ...ULTIMATE, medium: 29 })],
])("%s takes no shorter period above a longer one", (_, compute) => {
  expect(compute).toThrow(RangeError);
});
