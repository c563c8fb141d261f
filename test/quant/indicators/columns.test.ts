import { describe, expect, test } from "vitest";
import { bollinger } from "../../../quant/indicators/bollinger.ts";
import { INDICATOR_COLUMNS, type IndicatorColumn } from "../../../quant/indicators/column-list.ts";
import { computeIndicators } from "../../../quant/indicators/columns.ts";
import { drawdownFromHigh } from "../../../quant/indicators/drawdown-from-high.ts";
import { ema } from "../../../quant/indicators/ema.ts";
import { indicatorContract, type OutputContract } from "../../support/indicator-contract.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { testBars, testTickers } from "../../support/real-prices.ts";

const price = (warmUp: number): OutputContract => ({
  warmUp,
  price: "equivariant",
  flat: (market) => market.price,
});
const dollars = (warmUp: number): OutputContract => ({
  warmUp,
  price: "equivariant",
  flat: () => 0,
});
const points = (warmUp: number, flat = 0): OutputContract => ({
  warmUp,
  price: "invariant",
  flat: () => flat,
});

const OUTPUTS: Readonly<Record<IndicatorColumn, OutputContract>> = {
  rsi_14: points(14),
  macd_line: dollars(25),
  macd_signal: dollars(33),
  macd_histogram: dollars(33),
  supertrend: price(9),
  supertrend_direction: points(9, -1),
  stoch_k: points(15),
  stoch_d: points(17),
  stoch_rsi_k: points(29),
  stoch_rsi_d: points(31),
  cci_20: points(19),
  adx_14: points(27),
  plus_di_14: points(14),
  minus_di_14: points(14),
  awesome_oscillator: dollars(33),
  momentum_10: dollars(10),
  williams_r_14: points(13),
  bull_power_13: dollars(12),
  bear_power_13: dollars(12),
  ultimate_oscillator: points(28),
  ema_10: price(9),
  ema_20: price(19),
  ema_30: price(29),
  ema_50: price(49),
  ema_100: price(99),
  ema_200: price(199),
  sma_10: price(9),
  sma_20: price(19),
  sma_30: price(29),
  sma_50: price(49),
  sma_100: price(99),
  sma_200: price(199),
  hull_ma_9: price(10),
  vwma_20: price(19),
  ichimoku_conversion: price(8),
  ichimoku_base: price(25),
  ichimoku_lead1: price(25),
  ichimoku_lead2: price(51),
  bollinger_upper: price(19),
  bollinger_middle: price(19),
  bollinger_lower: price(19),
  atr_14: dollars(14),
  keltner_upper: price(19),
  keltner_middle: price(19),
  keltner_lower: price(19),
  donchian_upper: price(19),
  donchian_middle: price(19),
  donchian_lower: price(19),
  aroon_up: points(25, 100),
  aroon_down: points(25, 100),
  parabolic_sar: price(1),
  mfi_14: points(14),
  obv: {
    warmUp: 0,
    price: "invariant",
    volume: "equivariant",
    flat: ({ volume }) => volume,
  },
  roc_12: points(12),
  realized_volatility_30d_pct: points(30),
  drawdown_from_high_pct: points(0),
};

describe("computeIndicators", () => {
  indicatorContract({ compute: computeIndicators, outputs: OUTPUTS, refused: [] });

  test("gives every described column and no other", () => {
    const described = INDICATOR_COLUMNS.map(({ name }) => name);
    const computed = Object.keys(computeIndicators(madeUpBars({ seed: 1, days: 3 })));
    expect(computed.sort()).toEqual(described.sort());
    expect(new Set(described).size).toBe(described.length);
  });

  test("describes every column with a unit", () => {
    for (const { name, unit, description } of INDICATOR_COLUMNS) {
      expect(unit).not.toBe("");
      expect(description.length).toBeGreaterThan(10);
      expect(name.endsWith("_pct")).toBe(unit === "percent" && name !== "roc_12");
    }
  });

  test("puts each indicator under its own name", () => {
    const bars = madeUpBars({ seed: 2, days: 250 });
    const columns = computeIndicators(bars);
    expect(columns.ema_50).toEqual(ema(bars.close, 50));
    expect(columns.bollinger_lower).toEqual(bollinger(bars.close, 20, 2).lower);
    expect(columns.drawdown_from_high_pct).toEqual(
      drawdownFromHigh(bars.close).map((drawdown) => drawdown * 100),
    );
  });

  test.each(testTickers())("has NaN in the warm-up and nowhere else on %s", (ticker) => {
    const bars = testBars(ticker);
    const columns = computeIndicators(bars);
    for (const { name } of INDICATOR_COLUMNS) {
      const known = columns[name].filter(Number.isFinite).length;
      const behind = columns[name].subarray(OUTPUTS[name].warmUp).filter(Number.isFinite).length;
      const expected = Math.max(bars.day.length - OUTPUTS[name].warmUp, 0);
      expect({ name, known, behind }).toEqual({ name, known: expected, behind: expected });
    }
  });
});
