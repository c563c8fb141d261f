import { describe, expect, test } from "vitest";
import { awesomeOscillator } from "../../../quant/indicators/awesome-oscillator.ts";
import { bullBearPower } from "../../../quant/indicators/bull-bear-power.ts";
import {
  AVERAGE_PERIODS,
  computeIndicators,
  INDICATOR_COLUMNS,
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
  [["rsi_14"], "RSI", [close], [14]],
  [["macd_line", "macd_signal", "macd_histogram"], "MACD", [close], [12, 26, 9]],
  [["stoch_k", "stoch_d"], "STOCH", bar, [14, 3, 0, 3, 0]],
  [["cci_20"], "CCI", bar, [20]],
  [["adx_14"], "ADX", bar, [14]],
  [["plus_di_14"], "PLUS_DI", bar, [14]],
  [["minus_di_14"], "MINUS_DI", bar, [14]],
  [["momentum_10"], "MOM", [close], [10]],
  [["williams_r_14"], "WILLR", bar, [14]],
  [["ultimate_oscillator"], "ULTOSC", bar, [7, 14, 28]],
  [["ichimoku_conversion"], "MIDPRICE", [high, low], [9]],
  [["ichimoku_base"], "MIDPRICE", [high, low], [26]],
  [["ichimoku_lead2"], "MIDPRICE", [high, low], [52]],
  [["bollinger_upper", "bollinger_middle", "bollinger_lower"], "BBANDS", [close], [20, 2, 2, 0]],
  [["atr_14"], "ATR", bar, [14]],
  [["donchian_upper"], "MAX", [high], [20]],
  [["donchian_lower"], "MIN", [low], [20]],
  [["aroon_down", "aroon_up"], "AROON", [high, low], [25]],
  [["parabolic_sar"], "SAR", [high, low], [0.02, 0.2]],
  [["mfi_14"], "MFI", [...bar, volume], [14]],
  [["obv"], "OBV", [close, volume], []],
  [["roc_12"], "ROC", [close], [12]],
];

function meanOf(one: Float64Array, other: Float64Array): Float64Array {
  return one.map((value, row) => (value + other[row]!) / 2);
}

describe("computeIndicators", () => {
  test("holds TA-Lib's indicators under their own names, with the periods those give", async () => {
    const talib = await startTalib();
    const columns = computeIndicators(BARS);
    const averages = AVERAGE_PERIODS.flatMap((days): OfTalib[] => [
      [[`ema_${days}`], "EMA", [close], [days]],
      [[`sma_${days}`], "SMA", [close], [days]],
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
    const trend = supertrend(high, low, close, 10, 3);
    const channel = keltner(high, low, close, { period: 20, atrPeriod: 10, multiplier: 2 });
    const strength = { rsiPeriod: 14, stochPeriod: 14, kSmoothing: 3, dSmoothing: 3 };
    const { bull, bear } = bullBearPower(high, low, close, 13);
    const expected = {
      supertrend: trend.value,
      supertrend_direction: trend.direction,
      stoch_rsi_k: stochRsi(close, strength).k,
      stoch_rsi_d: stochRsi(close, strength).d,
      awesome_oscillator: awesomeOscillator(high, low),
      bull_power_13: bull,
      bear_power_13: bear,
      hull_ma_9: hullMa(close, 9),
      vwma_20: vwma(close, volume, 20),
      ichimoku_lead1: meanOf(columns.ichimoku_conversion, columns.ichimoku_base),
      keltner_upper: channel.upper,
      keltner_middle: channel.middle,
      keltner_lower: channel.lower,
      donchian_middle: meanOf(columns.donchian_upper, columns.donchian_lower),
      realized_volatility_30d_pct: realizedVolatility(close, 30).map((each) => each * 100),
      drawdown_from_high_pct: drawdownFromHigh(close).map((each) => each * 100),
    };
    expect(columns).toMatchObject(expected);
    const all = [...OF_TALIB.flatMap(([names]) => names), ...Object.keys(expected)];
    expect(all.length + 2 * AVERAGE_PERIODS.length).toBe(INDICATOR_COLUMNS.length);
  });
});
