import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sliceBars, type Bars } from "../../../quant/bars.ts";
import { computeIndicators } from "../../../quant/indicators/columns.ts";
import { rma } from "../../../quant/indicators/rma.ts";
import { rollingMax, rollingMin } from "../../../quant/indicators/rolling-extreme.ts";
import { slidingSum } from "../../../quant/indicators/sliding-sum.ts";
import { standardDeviation } from "../../../quant/indicators/standard-deviation.ts";
import { trueRange } from "../../../quant/indicators/true-range.ts";
import { typicalPrice } from "../../../quant/indicators/typical-price.ts";
import { wma } from "../../../quant/indicators/wma.ts";
import { firstDifference } from "../../support/engine-bits.ts";
import { flatBars, madeUpBars, withPrices } from "../../support/made-up-bars.ts";
import { testBars, testTickers } from "../../support/real-prices.ts";
import { dollars, price, volume, type Output } from "./row.ts";
import { COLUMNS } from "./rows.ts";

/** Every column, and what columns are made of. */
const OUTPUTS: Readonly<Record<keyof ReturnType<typeof compute>, Output>> = {
  ...COLUMNS,
  rma: price(13),
  rolling_max: price(19),
  rolling_min: price(19),
  sliding_sum: volume(15, 16),
  standard_deviation: dollars(19),
  true_range: dollars(0),
  typical_price: {
    ...price(0),
    flat: (market) => (market.price + market.price + market.price) / 3,
  },
  wma: price(8),
};

function compute(bars: Bars) {
  const { high, low, close } = bars;
  return {
    ...computeIndicators(bars),
    rma: rma(close, 14),
    rolling_max: rollingMax(high, 20),
    rolling_min: rollingMin(low, 20),
    sliding_sum: slidingSum(bars.volume, 16),
    standard_deviation: standardDeviation(close, 20),
    true_range: trueRange(bars),
    typical_price: typicalPrice(bars),
    wma: wma(close, 9),
  };
}

type Name = keyof typeof OUTPUTS;
const NAMES = Object.keys(OUTPUTS) as Name[];

/** Longer than any warm-up, so that every block and window boundary is crossed several times. */
const DAYS = 400;

describe("every indicator", () => {
  test.each([0, 1, 2, 199, 200, 201, DAYS])(
    "on %d rows is as long as its input, NaN in the warm-up and nowhere else",
    (days) => {
      const computed = compute(madeUpBars({ seed: 2, days }));
      for (const name of NAMES) {
        const blank = Array.from(computed[name], Number.isNaN);
        const expected = Array.from({ length: days }, (_, row) => row < OUTPUTS[name].warmUp);
        expect({ name, blank }).toEqual({ name, blank: expected });
        expect(computed[name].some((value) => Math.abs(value) === Infinity)).toBe(false);
      }
    },
  );

  test.each(testTickers())("has a number on every day after its warm-up, on %s", (ticker) => {
    const bars = testBars(ticker);
    const columns = compute(bars);
    for (const name of NAMES) {
      const known = columns[name].filter(Number.isFinite).length;
      const behind = columns[name].subarray(OUTPUTS[name].warmUp).filter(Number.isFinite).length;
      const expected = Math.max(bars.day.length - OUTPUTS[name].warmUp, 0);
      expect({ name, known, behind }).toEqual({ name, known: expected, behind: expected });
    }
  });

  test.each(NAMES)("%s has no value one row before its warm-up is over", (name) => {
    const { warmUp } = OUTPUTS[name];
    expect(compute(madeUpBars({ seed: 3, days: warmUp }))[name].every(Number.isNaN)).toBe(true);
    expect(compute(madeUpBars({ seed: 3, days: warmUp + 1 }))[name][warmUp]).not.toBeNaN();
  });

  test("has the same past, bit for bit, when the future is cut off", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.integer({ min: 0, max: DAYS }), (seed, cut) => {
        const bars = madeUpBars({ seed, days: DAYS });
        const whole = compute(bars);
        const past = compute(sliceBars(bars, 0, cut));
        expect(differing(past, (name) => whole[name].subarray(0, cut))).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test("begins later by the rows without a number in front, bit for bit", () => {
    const bars = madeUpBars({ seed: 5, days: DAYS });
    const plain = compute(bars);
    const moved = compute(withBlankRows(bars, 7));
    const later = (name: Name) => Float64Array.of(...Array<number>(7).fill(NaN), ...plain[name]);
    expect(differing(moved, later)).toEqual([]);
  });

  test("passes a power of two on prices on, or none of it, bit for bit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.integer({ min: -100, max: 100 }), (seed, power) => {
        const bars = madeUpBars({ seed, days: DAYS });
        const plain = compute(bars);
        const passed = (name: Name) =>
          plain[name].map((value) => value * 2 ** (power * OUTPUTS[name].ofPrice));
        expect(differing(compute(withScaledPrices(bars, 2 ** power)), passed)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test.each([1e-3, 0.37, 3, 1e6])("passes a factor of %d on prices on, to 1e-9", (factor) => {
    const bars = madeUpBars({ seed: 7, days: DAYS });
    const [plain, scaled] = [compute(bars), compute(withScaledPrices(bars, factor))];
    for (const name of NAMES) {
      const expected = factor ** OUTPUTS[name].ofPrice;
      // Dollars are measured against the price, the rest against their range of 100.
      const wrong = plain[name].findIndex((value, row) => {
        const size = Math.max(Math.abs(value), 0.1) * expected;
        const isNear = Math.abs(scaled[name][row]! - value * expected) <= 1e-9 * size;
        return !Number.isNaN(value) && !isNear;
      });
      expect({ name, wrong }).toEqual({ name, wrong: -1 });
    }
  });

  test.each([-100, -40, 10, 100])("passes 2 ** %d on volume on, bit for bit", (power) => {
    const bars = madeUpBars({ seed: 8, days: DAYS });
    const plain = compute(bars);
    const scaled = compute({ ...bars, volume: bars.volume.map((value) => value * 2 ** power) });
    const passed = (name: Name) =>
      plain[name].map((value) => value * 2 ** (power * (OUTPUTS[name].ofVolume ?? 0)));
    expect(differing(scaled, passed)).toEqual([]);
  });

  // Prices whose multiples are no binary fractions, so that a rounding error would show.
  test.each([0.1, 100 / 3, 65_432.1, 1.23e-5])("is defined on a flat market at %d", (at) => {
    const market = { price: at, volume: 1234.5, days: DAYS };
    const still = (name: Name) =>
      new Float64Array(DAYS).fill(OUTPUTS[name].flat(market)).fill(NaN, 0, OUTPUTS[name].warmUp);
    expect(differing(compute(flatBars(market)), still)).toEqual([]);
  });

  test("leaves its inputs as they are", () => {
    const bars = madeUpBars({ seed: 9, days: DAYS });
    compute(bars);
    expect(bars).toEqual(madeUpBars({ seed: 9, days: DAYS }));
  });
});

function withScaledPrices(bars: Bars, factor: number): Bars {
  return withPrices(bars, (column) => column.map((each) => each * factor));
}

function withBlankRows(bars: Bars, rows: number): Bars {
  const blanks = Array<number>(rows).fill(NaN);
  const moved = (column: Float64Array) => Float64Array.of(...blanks, ...column);
  const day = Int32Array.from({ length: bars.day.length + rows }, (_, row) => row);
  return { ...withPrices(bars, moved), day, volume: moved(bars.volume) };
}

/** Outputs that differ in any bit: NaN equals NaN, and 0 differs from -0. */
function differing(
  computed: ReturnType<typeof compute>,
  expected: (name: Name) => Float64Array,
): string[] {
  return NAMES.filter((name) => firstDifference(computed[name], expected(name)) !== -1);
}
