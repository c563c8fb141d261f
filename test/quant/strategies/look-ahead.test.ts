import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sliceBars, type Bars } from "../../../quant/bars.ts";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { CATALOGUE } from "../../../quant/strategies/catalogue.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf, type Params, type Template } from "../../../quant/strategies/template.ts";
import { firstDifference } from "../../support/engine-bits.ts";
import { withPrices } from "../../support/made-up-bars.ts";
import { hasRealPrices, testBars, testTickers } from "../../support/real-prices.ts";

const TICKER = hasRealPrices ? "sol" : testTickers()[0]!;
const DAYS = 600;
const BARS = sliceBars(testBars(TICKER), 0, DAYS);
const MARKET = createMarket(BARS);
const WINDOW = { from: 200, to: DAYS };

/** The bars with another future: from row `cut` on, every column is reversed and scaled. */
function otherFuture(bars: Bars, cut: number, factor: number): Bars {
  const garble = (column: Float64Array) => {
    const out = column.slice();
    out.subarray(cut).reverse();
    return out.map((value, row) => (row < cut ? value : value * factor));
  };
  return { ...withPrices(bars, garble), volume: garble(bars.volume) };
}

/** A power of two changes no digit of a binary fraction; any other factor rounds every price. */
const UNITS = [
  { factor: 2 ** -10, error: 0 },
  { factor: 2 ** 12, error: 0 },
  { factor: 0.0037, error: 1e-13 },
  { factor: 129.3, error: 1e-13 },
];

/**
 * TA-Lib's ADX and MFI, and so the published definitions, compare two price differences without a
 * tolerance. Rounded prices can therefore tip a day of these two templates.
 */
const TALIB_TIES = ["adx_trend", "mfi"];

const scaled = (bars: Bars, factor: number) =>
  withPrices(bars, (column) => column.map((price) => price * factor));

const run = (bars: Bars, flags: Uint8Array) =>
  runBacktest({
    bars,
    flags,
    window: { from: WINDOW.from, to: bars.day.length },
    startingCash: 1000,
  });

const variantOf = (template: Template, index: number): Params => template.variants[index]!;
const cuts = fc.integer({ min: 1, max: DAYS });
const variants = fc.integer({ min: 0, max: 12 });

describe.each(CATALOGUE)("$name", (template) => {
  test("another future changes no past decision and no past equity", () => {
    fc.assert(
      fc.property(
        cuts,
        variants,
        fc.constantFrom(0.2, 0.97, 1, 1.3, 40),
        (cut, variant, factor) => {
          const params = variantOf(template, variant);
          const flags = flagsOf(template, MARKET, params);
          const bars = otherFuture(BARS, cut, factor);
          const garbled = flagsOf(template, createMarket(bars), params);
          expect(firstDifference(garbled.subarray(0, cut), flags.subarray(0, cut))).toBe(-1);
          const past = Math.max(0, cut - WINDOW.from);
          const equity = run(bars, garbled).equity.subarray(0, past);
          expect(firstDifference(equity, run(BARS, flags).equity.subarray(0, past))).toBe(-1);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("no future at all changes no past decision and no past equity", () => {
    fc.assert(
      fc.property(fc.integer({ min: WINDOW.from, max: DAYS }), variants, (cut, variant) => {
        const params = variantOf(template, variant);
        const flags = flagsOf(template, MARKET, params);
        const bars = sliceBars(BARS, 0, cut);
        const short = flagsOf(template, createMarket(bars), params);
        expect(firstDifference(short, flags.subarray(0, cut))).toBe(-1);
        const { equity } = run(bars, short);
        const full = run(BARS, flags).equity.subarray(0, equity.length);
        expect(firstDifference(equity, full)).toBe(-1);
      }),
      { numRuns: 25 },
    );
  });

  test("prices in another unit give the same decisions and the same returns", () => {
    for (const { factor, error } of UNITS) {
      if (error > 0 && TALIB_TIES.includes(template.name)) continue;
      const bars = scaled(BARS, factor);
      const market = createMarket(bars);
      for (const params of template.variants) {
        const flags = flagsOf(template, MARKET, params);
        const other = flagsOf(template, market, params);
        const row = firstDifference(other, flags);
        expect({ factor, params, row }).toEqual({ factor, params, row: -1 });
        const { returns } = run(BARS, flags);
        const apart = run(bars, other).returns.map((value, row) => Math.abs(value - returns[row]!));
        expect(Math.max(...apart)).toBeLessThanOrEqual(error);
      }
    }
  });

  test("a calendar moved by a day moves nothing but dates", () => {
    const later = { ...BARS, day: BARS.day.map((day) => day + 1) };
    const flags = flagsOf(template, createMarket(later), variantOf(template, 0));
    expect(flags).toEqual(flagsOf(template, MARKET, variantOf(template, 0)));
  });
});
