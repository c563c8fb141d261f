import { describe, expect, test } from "vitest";
import type { Bars } from "../../../quant/bars.ts";
import { computeIndicators } from "../../../quant/indicators/columns.ts";
import { readingAt, type Reading } from "../../../quant/signals/reading.ts";
import { INDICATORS } from "../indicators/rows.ts";
import { flatBars, madeUpBars } from "../../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 1, days: 300 });
const COLUMNS = computeIndicators(BARS);

/** Every indicator of a reading by name; averages by name and period. */
function named(reading: Reading): Record<string, { readonly signal: string } | null> {
  const { ema, sma, ...rest } = reading.indicators;
  const periods = (name: string, group: object) =>
    Object.entries(group).map(([period, line]) => [`${name} ${period}`, line]);
  return Object.fromEntries([
    ...Object.entries(rest),
    ...periods("ema", ema),
    ...periods("sma", sma),
  ]);
}

/** The first row on which each indicator has a reading. */
function firstRows(bars: Bars): Record<string, number> {
  const columns = computeIndicators(bars);
  const first: Record<string, number> = {};
  for (let row = bars.day.length - 1; row >= 0; row--) {
    for (const [name, indicator] of Object.entries(named(readingAt(bars, columns, row)))) {
      if (indicator !== null) first[name] = row;
    }
  }
  return first;
}

describe("readingAt", () => {
  test("holds close, day and changes as fractions", () => {
    const reading = readingAt(BARS, COLUMNS, 250);
    expect(reading.day).toBe(BARS.day[250]);
    expect(reading.close).toBe(BARS.close[250]);
    expect(reading.change1d).toBe(BARS.close[250]! / BARS.close[249]! - 1);
    expect(reading.change7d).toBe(BARS.close[250]! / BARS.close[243]! - 1);
    expect(reading.change30d).toBe(BARS.close[250]! / BARS.close[220]! - 1);
  });

  test("has no change over days the history does not reach", () => {
    const changes = (row: number) => {
      const { change1d, change7d, change30d } = readingAt(BARS, COLUMNS, row);
      return [change1d, change7d, change30d].map(Number.isFinite);
    };
    expect(changes(0)).toEqual([false, false, false]);
    expect(changes(1)).toEqual([true, false, false]);
    expect(changes(7)).toEqual([true, true, false]);
    expect(changes(30)).toEqual([true, true, true]);
  });

  test("reads its values from the columns", () => {
    const { indicators } = readingAt(BARS, COLUMNS, 299);
    expect(indicators.rsi?.value).toBe(COLUMNS.rsi14[299]);
    expect(indicators.macd?.signalLine).toBe(COLUMNS.macdSignal[299]);
    expect(indicators.ema[200]?.value).toBe(COLUMNS.ema200[299]);
    expect(indicators.sma[10]?.value).toBe(COLUMNS.sma10[299]);
    expect(indicators.adx?.minusDi).toBe(COLUMNS.minusDi14[299]);
    expect(indicators.ichimoku).toMatchObject({
      lead1: COLUMNS.ichimokuLead1[299],
      cloudLead1: COLUMNS.ichimokuLead1[299 - 26],
      cloudLead2: COLUMNS.ichimokuLead2[299 - 26],
    });
    expect(indicators.drawdownFromHigh?.value).toBe(COLUMNS.drawdownFromHigh[299]!);
  });

  test("is null as a whole for an indicator until value and signal are there", () => {
    const rows = Object.entries(INDICATORS).map(([name, row]) => [name, row.firstReading]);
    expect(firstRows(BARS)).toEqual(Object.fromEntries(rows));
  });

  test("holds nothing but numbers and words, none of them NaN", () => {
    const readings = Array.from(BARS.day, (_, row) => named(readingAt(BARS, COLUMNS, row)));
    const values = readings.flatMap((reading) =>
      Object.values(reading).flatMap((indicator) => Object.values<unknown>(indicator ?? {})),
    );
    const odd = values.filter((value) => typeof value !== "string" && !Number.isFinite(value));
    expect(odd).toEqual([]);
  });

  test("of a flat market is defined", () => {
    const bars = flatBars({ price: 0.1, volume: 0, days: 260 });
    const { indicators } = readingAt(bars, computeIndicators(bars), 259);
    expect(indicators.rsi).toEqual({ value: 0, signal: "neutral" });
    expect(indicators.bollinger).toEqual({
      upper: 0.1,
      middle: 0.1,
      lower: 0.1,
      signal: "neutral",
    });
    expect(indicators.supertrend).toEqual({ value: 0.1, direction: "down", signal: "sell" });
    expect(indicators.obv).toEqual({ value: 0, signal: "neutral" });
  });

  test.each([-1, 300, 1.5, NaN])("refuses row %d", (row) => {
    expect(() => readingAt(BARS, COLUMNS, row)).toThrow(RangeError);
  });
});
