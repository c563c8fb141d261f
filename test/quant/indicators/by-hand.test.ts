import { describe, expect, test } from "vitest";
import { adx } from "../../../quant/indicators/adx.ts";
import { atr } from "../../../quant/indicators/atr.ts";
import { awesomeOscillator } from "../../../quant/indicators/awesome-oscillator.ts";
import { bullBearPower } from "../../../quant/indicators/bull-bear-power.ts";
import { cci } from "../../../quant/indicators/cci.ts";
import { donchian } from "../../../quant/indicators/donchian.ts";
import { drawdownFromHigh } from "../../../quant/indicators/drawdown-from-high.ts";
import { ema } from "../../../quant/indicators/ema.ts";
import { ichimoku } from "../../../quant/indicators/ichimoku.ts";
import { keltner } from "../../../quant/indicators/keltner.ts";
import { macd } from "../../../quant/indicators/macd.ts";
import { obv } from "../../../quant/indicators/obv.ts";
import { roc } from "../../../quant/indicators/roc.ts";
import { rsi } from "../../../quant/indicators/rsi.ts";
import { sma } from "../../../quant/indicators/sma.ts";
import { stochRsi } from "../../../quant/indicators/stoch-rsi.ts";
import { mirrored, ramp } from "../../support/indicator-reference.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const column = (...values: number[]) => Float64Array.from(values);

describe("of a price that rises by 1 a day, with a range of 2, to 179 on the last", () => {
  const bars = ramp(80);
  const { high, low, close } = bars;

  test("ADX is 100, all of it upward", () => {
    const { adx: strength, plusDi, minusDi } = adx(bars, 5);
    expect(strength[79]).toBeCloseTo(100, 10);
    expect(plusDi[79]).toBeCloseTo(50, 10); // each day moves up by 1 within a true range of 2
    expect(minusDi[79]).toBe(0);
  });

  test("ATR leaves the first day's range out, and smooths by Wilder's rule", () => {
    expect(atr({ ...bars, high: high.with(0, 1000) }, 5)[5]).toBe(2);
    expect(atr({ ...bars, high: high.with(6, low[6]! + 12) }, 5)[6]).toBeCloseTo(
      (2 * 4 + 12) / 5,
      12,
    );
  });

  test("the awesome oscillator is how far apart the two windows' middles are", () => {
    // They are 2 and 16.5 days back.
    expect(awesomeOscillator(bars)[79]).toBeCloseTo(14.5, 10);
    expect(awesomeOscillator(mirrored(bars))[79]).toBeCloseTo(-14.5, 10);
  });

  test("bulls and bears are measured from an average that is 6 days behind", () => {
    const { bull, bear } = bullBearPower(bars, 13);
    expect(bull[79]).toBeCloseTo(7, 10);
    expect(bear[79]).toBeCloseTo(5, 10);
  });

  test("CCI is the distance in mean deviations", () => {
    // Five prices 1 apart: 2 above their mean, mean deviation 6 / 5.
    expect(cci(bars, 5)[79]).toBeCloseTo(2 / (0.015 * 1.2), 10);
  });

  test("Donchian's channel takes the day itself in", () => {
    const { upper, middle, lower } = donchian(bars, 20);
    expect([upper[79], middle[79], lower[79]]).toEqual([180, 169.5, 159]);
  });

  test("Ichimoku's lines lie half their window back", () => {
    const { conversion, base, lead1, lead2 } = ichimoku(bars, 9, 26, 52);
    expect([conversion[79], base[79]]).toEqual([179 - 4, 179 - 12.5]);
    expect([lead1[79], lead2[79]]).toEqual([179 - 8.25, 179 - 25.5]);
  });

  test("Keltner has a middle before it has bands when the range takes longer", () => {
    const { upper, middle } = keltner(bars, 5, 10, 2);
    expect([middle.findIndex(Number.isFinite), upper.findIndex(Number.isFinite)]).toEqual([4, 9]);
  });

  test("RSI is 100 without any loss, and 0 without any gain", () => {
    expect(rsi(close, 14)[79]).toBe(100);
    expect(rsi(mirrored(bars).close, 14)[79]).toBe(0);
  });
});

test("drawdown is measured from the highest close so far", () => {
  const drawdown = drawdownFromHigh(column(100, 128, 96, 128, 160, 80));
  expect([...drawdown]).toEqual([0, 0, -0.25, 0, 0, -0.5]);
});

test("EMA starts on the plain mean and moves by 2 / (period + 1) of the distance", () => {
  // Mean of 1, 2, 6 is 3; then 3 + (7 - 3) / 2 = 5 and 5 + (1 - 5) / 2 = 3.
  expect([...ema(column(1, 2, 6, 7, 1), 3)]).toEqual([NaN, NaN, 3, 5, 3]);
});

test("MACD seeds the fast average on the day of the slow one", () => {
  // Fast: mean of 4, 6 = 5, then 5 + (2 / 3) (9 - 5). Slow: mean of 2, 4, 6 = 4, then 4 + (9 - 4) / 2.
  const { line, signal, histogram } = macd(column(2, 4, 6, 9), 2, 3, 2);
  const next = 5 + (2 / 3) * 4 - 6.5;
  expect([...line]).toEqual([NaN, NaN, 1, next]);
  expect([...signal]).toEqual([NaN, NaN, NaN, 1 + (next - 1) / 2]);
  expect(histogram[3]).toBe(next - (1 + (next - 1) / 2));
});

test("OBV adds on a rise, subtracts on a fall and keeps its value on neither", () => {
  const balance = obv({
    close: column(10, 11, 11, 9, 12),
    volume: column(100, 20, 30, 40, 5),
  });
  expect([...balance]).toEqual([100, 120, 120, 80, 85]);
});

test("ROC is percent, and 0 where there is nothing to compare with", () => {
  expect([...roc(column(50, 0, 75, 10), 2)]).toEqual([NaN, NaN, 50, 0]);
});

test("SMA over one day is the value itself, and has all digits after a price has lost nearly all", () => {
  expect(sma(column(3, 1, 2), 1)).toEqual(column(3, 1, 2));
  const collapsed = column(1e9, 3e8, 7e7, 0.1, 0.2, 0.3, 0.4, 0.5);
  const means = [(0.1 + 0.2 + 0.3) / 3, (0.2 + 0.3 + 0.4) / 3, (0.3 + 0.4 + 0.5) / 3];
  expect([...sma(collapsed, 3).subarray(5)]).toEqual(means);
});

test("stochastic RSI is 100 on a day of the highest RSI and 0 on one of the lowest", () => {
  const { close } = madeUpBars({ seed: 4, days: 200 });
  const strength = rsi(close, 14);
  const { k } = stochRsi(close, 14, 14, 1, 1);
  for (let row = 27; row < 200; row++) {
    const window = strength.slice(row - 13, row + 1);
    expect(k[row]! > 99.999_999).toBe(Math.max(...window) === strength[row]);
    expect(k[row] === 0).toBe(Math.min(...window) === strength[row]);
  }
});

test("ADX's directions stay while prices do not move, and the index approaches theirs", () => {
  const bars = madeUpBars({ seed: 6, days: 60 });
  for (const prices of [bars.high, bars.low, bars.close]) prices.fill(bars.close[39]!, 40);
  const { adx: strength, plusDi, minusDi } = adx(bars, 5);
  expect(plusDi[59]).toBeCloseTo(plusDi[41]!, 9);
  expect(minusDi[59]).toBeCloseTo(minusDi[41]!, 9);
  const index = (100 * Math.abs(plusDi[41]! - minusDi[41]!)) / (plusDi[41]! + minusDi[41]!);
  expect(Math.abs(strength[59]! - index)).toBeLessThan(Math.abs(strength[45]! - index));
});
