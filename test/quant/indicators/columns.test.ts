import { describe, expect, test } from "vitest";
import { awesomeOscillator } from "../../../quant/indicators/awesome-oscillator.ts";
import { bullBearPower } from "../../../quant/indicators/bull-bear-power.ts";
import {
  AVERAGE_PERIODS,
  computeIndicators,
  type IndicatorColumn,
} from "../../../quant/indicators/columns.ts";
import { drawdownFromHigh } from "../../../quant/indicators/drawdown-from-high.ts";
import { hullMa } from "../../../quant/indicators/hull-ma.ts";
import { keltner } from "../../../quant/indicators/keltner.ts";
import { realizedVolatility } from "../../../quant/indicators/realized-volatility.ts";
import { stochRsi } from "../../../quant/indicators/stoch-rsi.ts";
import { supertrend } from "../../../quant/indicators/supertrend.ts";
import { vwma } from "../../../quant/indicators/vwma.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { largestDifference, startTalib } from "../../support/talib.ts";

const BARS = madeUpBars({ seed: 2, days: 250 });
const { high, low, close, volume } = BARS;
const bar = [high, low, close];

/** Columns that TA-Lib has too: its function, what goes in, and its options. */
type OfTalib = readonly [
  names: readonly IndicatorColumn[],
  indicator: string,
  inputs: readonly Float64Array[],
  options: readonly number[],
];
const OF_TALIB: readonly OfTalib[] = [
  [["rsi14"], "RSI", [close], [14]],
  [["macdLine", "macdSignal", "macdHistogram"], "MACD", [close], [12, 26, 9]],
  [["stochK", "stochD"], "STOCH", bar, [14, 3, 0, 3, 0]],
  [["cci20"], "CCI", bar, [20]],
  [["adx14"], "ADX", bar, [14]],
  [["plusDi14"], "PLUS_DI", bar, [14]],
  [["minusDi14"], "MINUS_DI", bar, [14]],
  [["momentum10"], "MOM", [close], [10]],
  [["williamsR14"], "WILLR", bar, [14]],
  [["ultimateOscillator"], "ULTOSC", bar, [7, 14, 28]],
  [["ichimokuConversion"], "MIDPRICE", [high, low], [9]],
  [["ichimokuBase"], "MIDPRICE", [high, low], [26]],
  [["ichimokuLead2"], "MIDPRICE", [high, low], [52]],
  [["bollingerUpper", "bollingerMiddle", "bollingerLower"], "BBANDS", [close], [20, 2, 2, 0]],
  [["atr14"], "ATR", bar, [14]],
  [["donchianUpper"], "MAX", [high], [20]],
  [["donchianLower"], "MIN", [low], [20]],
  [["aroonDown", "aroonUp"], "AROON", [high, low], [25]],
  [["parabolicSar"], "SAR", [high, low], [0.02, 0.2]],
  [["mfi14"], "MFI", [...bar, volume], [14]],
  [["obv"], "OBV", [close, volume], []],
  [["roc12"], "ROC", [close], [12]],
];

function meanOf(one: Float64Array, other: Float64Array): Float64Array {
  return one.map((value, row) => (value + other[row]!) / 2);
}

describe("computeIndicators", () => {
  test("holds TA-Lib's indicators under their own names, with the periods those give", async () => {
    const talib = await startTalib();
    const columns = computeIndicators(BARS);
    const averages = AVERAGE_PERIODS.flatMap((days): OfTalib[] => [
      [[`ema${days}`], "EMA", [close], [days]],
      [[`sma${days}`], "SMA", [close], [days]],
    ]);
    for (const [names, indicator, inputs, options] of [...OF_TALIB, ...averages]) {
      const outputs = talib(indicator, { inputs, options, outputs: names.length });
      for (const [index, name] of names.entries()) {
        const difference = largestDifference(columns[name], outputs[index]!, () => 100);
        expect({ name, close: difference < 1e-9 }).toEqual({ name, close: true });
      }
    }
  });

  test("holds the others under their own names, with the periods of the documentation", () => {
    const columns = computeIndicators(BARS);
    const trend = supertrend(BARS, 10, 3);
    const channel = keltner(BARS, 20, 10, 2);
    const ofRsi = stochRsi(close, 14, 14, 3, 3);
    const { bull, bear } = bullBearPower(BARS, 13);
    const expected = {
      supertrend: trend.value,
      supertrendDirection: trend.direction,
      stochRsiK: ofRsi.k,
      stochRsiD: ofRsi.d,
      awesomeOscillator: awesomeOscillator(BARS),
      bullPower13: bull,
      bearPower13: bear,
      hullMa9: hullMa(close, 9),
      vwma20: vwma(BARS, 20),
      ichimokuLead1: meanOf(columns.ichimokuConversion, columns.ichimokuBase),
      keltnerUpper: channel.upper,
      keltnerMiddle: channel.middle,
      keltnerLower: channel.lower,
      donchianMiddle: meanOf(columns.donchianUpper, columns.donchianLower),
      realizedVolatility30d: realizedVolatility(close, 30),
      drawdownFromHigh: drawdownFromHigh(close),
    };
    expect(columns).toMatchObject(expected);
    const all = [...OF_TALIB.flatMap(([names]) => names), ...Object.keys(expected)];
    expect(all.length + 2 * AVERAGE_PERIODS.length).toBe(Object.keys(columns).length);
  });
});
