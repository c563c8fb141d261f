import { adx } from "../../../quant/indicators/adx.ts";
import { awesomeOscillator } from "../../../quant/indicators/awesome-oscillator.ts";
import { bullBearPower } from "../../../quant/indicators/bull-bear-power.ts";
import { cci } from "../../../quant/indicators/cci.ts";
import { macd } from "../../../quant/indicators/macd.ts";
import { momentum } from "../../../quant/indicators/momentum.ts";
import { rsi } from "../../../quant/indicators/rsi.ts";
import { stochRsi } from "../../../quant/indicators/stoch-rsi.ts";
import { stochastic } from "../../../quant/indicators/stochastic.ts";
import { ultimateOscillator } from "../../../quant/indicators/ultimate-oscillator.ts";
import { williamsR } from "../../../quant/indicators/williams-r.ts";
import { TULIP } from "../../support/indicator-reference.ts";
import type { OSCILLATORS } from "../../../quant/signals/oscillators.ts";
import { CLOSE, BAR, dollars, points, talib, type IndicatorRow } from "./row.ts";

const { close } = TULIP;
const macdOf = (at: number) => talib("MACD", CLOSE, [12, 26, 9], at);
const stochOf = (at: number) => talib("STOCH", BAR, [14, 3, 0, 3, 0], at);

export const OSCILLATOR_ROWS: Readonly<Record<keyof typeof OSCILLATORS, IndicatorRow>> = {
  rsi: {
    columns: { rsi14: points(14, talib("RSI", CLOSE, [14])) },
    firstReading: 15,
    periods: [(period) => rsi(close, period)],
  },
  macd: {
    columns: {
      macdLine: dollars(25, macdOf(0)),
      macdSignal: dollars(33, macdOf(1)),
      macdHistogram: dollars(33, macdOf(2)),
    },
    firstReading: 33,
    periods: [
      (period) => macd(close, period, 26, 9),
      (period) => macd(close, 12, period, 9),
      (period) => macd(close, 12, 26, period),
    ],
    disordered: [() => macd(close, 26, 12, 9), () => macd(close, 12, 12, 9)],
  },
  stochastic: {
    columns: {
      stochK: points(15, stochOf(0)),
      stochD: points(17, stochOf(1)),
    },
    firstReading: 17,
    periods: [
      (period) => stochastic(TULIP, period, 3, 3),
      (period) => stochastic(TULIP, 14, period, 3),
      (period) => stochastic(TULIP, 14, 3, period),
    ],
  },
  stochRsi: {
    columns: {
      stochRsiK: points(29, (bars) => stochRsi(bars.close, 14, 14, 3, 3).k),
      stochRsiD: points(31, (bars) => stochRsi(bars.close, 14, 14, 3, 3).d),
    },
    firstReading: 49, // where the trend begins
    periods: [
      (period) => stochRsi(close, period, 14, 3, 3),
      (period) => stochRsi(close, 14, period, 3, 3),
    ],
  },
  cci: {
    columns: { cci20: points(19, talib("CCI", BAR, [20])) },
    firstReading: 20,
    periodsFrom2: [(period) => cci(TULIP, period)],
  },
  adx: {
    columns: {
      adx14: points(27, talib("ADX", BAR, [14])),
      plusDi14: points(14, talib("PLUS_DI", BAR, [14])),
      minusDi14: points(14, talib("MINUS_DI", BAR, [14])),
    },
    firstReading: 28,
    periodsFrom2: [(period) => adx(TULIP, period)],
  },
  awesomeOscillator: {
    columns: { awesomeOscillator: dollars(33, awesomeOscillator) },
    firstReading: 34,
  },
  momentum: {
    columns: { momentum10: dollars(10, talib("MOM", CLOSE, [10])) },
    firstReading: 11,
    periods: [(period) => momentum(close, period)],
  },
  williamsR: {
    columns: { williamsR14: points(13, talib("WILLR", BAR, [14])) },
    firstReading: 14,
    periods: [(period) => williamsR(TULIP, period)],
  },
  bullBearPower: {
    columns: {
      bullPower13: dollars(12, (bars) => bullBearPower(bars, 13).bull),
      bearPower13: dollars(12, (bars) => bullBearPower(bars, 13).bear),
    },
    firstReading: 49, // where the trend begins
    periods: [(period) => bullBearPower(TULIP, period)],
  },
  ultimateOscillator: {
    columns: { ultimateOscillator: points(28, talib("ULTOSC", BAR, [7, 14, 28])) },
    firstReading: 28,
    periods: [(period) => ultimateOscillator(TULIP, period, 14, 28)],
    disordered: [
      () => ultimateOscillator(TULIP, 15, 14, 28),
      () => ultimateOscillator(TULIP, 7, 29, 28),
    ],
  },
};
