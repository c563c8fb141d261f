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

const { close } = TULIP;

test.each<[string, (period: number) => unknown]>([
  ["adx", (period) => adx(TULIP, period)],
  ["aroon", (period) => aroon(TULIP, period)],
  ["atr", (period) => atr(TULIP, period)],
  ["bollinger", (period) => bollinger(close, period, 2)],
  ["bullBearPower", (period) => bullBearPower(TULIP, period)],
  ["cci", (period) => cci(TULIP, period)],
  ["donchian", (period) => donchian(TULIP, period)],
  ["ema", (period) => ema(close, period)],
  ["hullMa", (period) => hullMa(close, period)],
  ["ichimoku, conversion", (period) => ichimoku(TULIP, period, 26, 52)],
  ["ichimoku, base", (period) => ichimoku(TULIP, 9, period, 52)],
  ["ichimoku, span B", (period) => ichimoku(TULIP, 9, 26, period)],
  ["keltner", (period) => keltner(TULIP, period, 10, 2)],
  ["keltner, range", (period) => keltner(TULIP, 20, period, 2)],
  ["macd, fast", (period) => macd(close, period, 26, 9)],
  ["macd, slow", (period) => macd(close, 12, period, 9)],
  ["macd, signal", (period) => macd(close, 12, 26, period)],
  ["mfi", (period) => mfi(TULIP, period)],
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
  ["stochastic", (period) => stochastic(TULIP, period, 3, 3)],
  ["stochastic, K", (period) => stochastic(TULIP, 14, period, 3)],
  ["stochastic, D", (period) => stochastic(TULIP, 14, 3, period)],
  ["stochRsi, RSI", (period) => stochRsi(close, period, 14, 3, 3)],
  ["stochRsi", (period) => stochRsi(close, 14, period, 3, 3)],
  ["supertrend", (period) => supertrend(TULIP, period, 3)],
  ["ultimateOscillator", (period) => ultimateOscillator(TULIP, period, 14, 28)],
  ["vwma", (period) => vwma(TULIP, period)],
  ["williamsR", (period) => williamsR(TULIP, period)],
  ["wma", (period) => wma(close, period)],
])("%s takes no period but whole days from 1 on", (_, compute) => {
  for (const period of [0, -1, 1.5, NaN, Infinity])
    expect(() => compute(period)).toThrow(RangeError);
});

test.each<[string, () => unknown]>([
  ["adx", () => adx(TULIP, 1)],
  ["bollinger", () => bollinger(close, 1, 2)],
  ["cci", () => cci(TULIP, 1)],
  ["hullMa", () => hullMa(close, 1)],
  ["realizedVolatility", () => realizedVolatility(close, 1)],
  ["standardDeviation", () => standardDeviation(close, 1)],
])("%s takes no single day", (_, compute) => {
  expect(compute).toThrow(RangeError);
});

test.each<[string, (factor: number) => unknown]>([
  ["bollinger", (multiplier) => bollinger(close, 20, multiplier)],
  ["keltner", (multiplier) => keltner(TULIP, 20, 10, multiplier)],
  ["parabolicSar, acceleration", (factor) => parabolicSar(TULIP, factor, 0.2)],
  ["parabolicSar, maximum", (factor) => parabolicSar(TULIP, 0.02, factor)],
  ["supertrend", (multiplier) => supertrend(TULIP, 10, multiplier)],
])("%s takes no factor but finite ones above 0", (_, compute) => {
  for (const factor of [0, -1, NaN, Infinity]) expect(() => compute(factor)).toThrow(RangeError);
});

test.each<[string, () => unknown]>([
  ["macd", () => macd(close, 26, 12, 9)],
  ["macd", () => macd(close, 12, 12, 9)],
  ["ultimateOscillator", () => ultimateOscillator(TULIP, 15, 14, 28)],
  ["ultimateOscillator", () => ultimateOscillator(TULIP, 7, 29, 28)],
])("%s takes no shorter period above a longer one", (_, compute) => {
  expect(compute).toThrow(RangeError);
});
