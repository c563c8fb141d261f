import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sliceBars, type Bars } from "../../quant/bars.ts";
import { madeUpBars, withPrices } from "./made-up-bars.ts";

/**
 * How an output reacts when every price (or volume) is multiplied by a number: it is multiplied too, or it
 * stays the same.
 */
export type Scaling = "equivariant" | "invariant";

export interface OutputContract {
  /** Rows of NaN before the first value. */
  readonly warmUp: number;
  readonly price: Scaling;
  /** Default: invariant. */
  readonly volume?: Scaling;
  /** The value on a market that does not move, given its price and volume, and the row. */
  readonly flat: (market: { price: number; volume: number; row: number }) => number;
}

export interface IndicatorContract<Name extends string> {
  /** The indicator's outputs on these bars, by name. */
  readonly compute: (bars: Bars) => Readonly<Record<Name, Float64Array>>;
  readonly outputs: Readonly<Record<Name, OutputContract>>;
  /** Calls with parameters the indicator must refuse. */
  readonly refused: readonly (() => unknown)[];
}

/** Longer than any warm-up tested, so that every block and window boundary is crossed several times. */
const DAYS = 400;

/** The suite every indicator passes, whatever it computes. */
export function indicatorContract<Name extends string>(contract: IndicatorContract<Name>): void {
  const { compute, outputs, refused } = contract;
  const names = Object.keys(outputs) as Name[];
  const longestWarmUp = Math.max(...names.map((name) => outputs[name].warmUp));

  describe("indicator contract", () => {
    test("has exactly the outputs its contract names", () => {
      expect(Object.keys(compute(madeUpBars({ seed: 1, days: 5 }))).sort()).toEqual(names.sort());
    });

    test.each([0, 1, 2, longestWarmUp, longestWarmUp + 1, longestWarmUp + 2, DAYS])(
      "on %d rows: as long as its input, NaN in the warm-up and nowhere else",
      (days) => {
        const computed = compute(madeUpBars({ seed: 2, days }));
        for (const name of names) {
          const { warmUp } = outputs[name];
          const column: Float64Array = computed[name];
          const blank = Array.from(column, Number.isNaN);
          const expected = Array.from({ length: days }, (_, row) => row < warmUp);
          expect({ name, blank }).toEqual({ name, blank: expected });
          expect(column.some((value) => Math.abs(value) === Infinity)).toBe(false);
        }
      },
    );

    test.each(names)("%s has no value one row before its warm-up is over", (name) => {
      const { warmUp } = outputs[name];
      expect(compute(madeUpBars({ seed: 3, days: warmUp }))[name].every(Number.isNaN)).toBe(true);
      expect(compute(madeUpBars({ seed: 3, days: warmUp + 1 }))[name][warmUp]).not.toBeNaN();
    });

    test("cutting the future off changes nothing in the past, bit for bit", () => {
      fc.assert(
        fc.property(fc.integer({ min: 1 }), fc.integer({ min: 0, max: DAYS }), (seed, cut) => {
          const bars = madeUpBars({ seed, days: DAYS });
          const whole = compute(bars);
          const past = compute(sliceBars(bars, 0, cut));
          for (const name of names)
            expect(differing(name, past[name], whole[name].subarray(0, cut))).toEqual([]);
        }),
        { numRuns: 20 },
      );
    });

    test("rows without a number in front move the warm-up, bit for bit", () => {
      const bars = madeUpBars({ seed: 5, days: DAYS });
      const moved = compute(withBlankRows(bars, 7));
      const plain = compute(bars);
      for (const name of names) {
        expect(moved[name].slice(0, 7).every(Number.isNaN)).toBe(true);
        expect(differing(name, moved[name].subarray(7), plain[name])).toEqual([]);
      }
    });

    test("a power of two on prices comes through, or leaves the value, bit for bit", () => {
      fc.assert(
        fc.property(fc.integer({ min: 1 }), fc.integer({ min: -100, max: 100 }), (seed, power) => {
          const bars = madeUpBars({ seed, days: DAYS });
          const scaled = compute(withScaledPrices(bars, 2 ** power));
          const plain = compute(bars);
          for (const name of names) {
            const factor = outputs[name].price === "equivariant" ? 2 ** power : 1;
            const expected = plain[name].map((value) => value * factor);
            expect(differing(name, scaled[name], expected)).toEqual([]);
          }
        }),
        { numRuns: 20 },
      );
    });

    test("any factor on prices comes through, or leaves the value, to 1e-9", () => {
      const bars = madeUpBars({ seed: 7, days: DAYS });
      for (const factor of [1e-3, 0.37, 3, 1e6]) {
        const scaled = compute(withScaledPrices(bars, factor));
        const plain = compute(bars);
        for (const name of names) {
          const expected = outputs[name].price === "equivariant" ? factor : 1;
          // Dollar outputs are measured against the price, the rest against their range of 100.
          const unit = outputs[name].price === "equivariant" ? 100 * factor : 100;
          const miss = largestMiss(scaled[name], plain[name], { factor: expected, unit });
          expect({ name, close: miss <= 1e-9 }).toEqual({ name, close: true });
        }
      }
    });

    test("a power of two on volume comes through, or leaves the value, bit for bit", () => {
      const bars = madeUpBars({ seed: 8, days: DAYS });
      const plain = compute(bars);
      for (const power of [-100, -40, 10, 100]) {
        const volume = bars.volume.map((value) => value * 2 ** power);
        const scaled = compute({ ...bars, volume });
        for (const name of names) {
          const factor = outputs[name].volume === "equivariant" ? 2 ** power : 1;
          const expected = plain[name].map((value) => value * factor);
          expect(differing(name, scaled[name], expected)).toEqual([]);
        }
      }
    });

    // Prices whose multiples are no binary fractions, so that a rounding error would show.
    test.each([0.1, 100 / 3, 65_432.1, 1.23e-5])("is defined on a flat market at %d", (price) => {
      const volume = 1234.5;
      const computed = compute(flatBars({ price, volume, days: DAYS }));
      for (const name of names) {
        const { warmUp, flat } = outputs[name];
        const expected = Float64Array.from({ length: DAYS }, (_, row) =>
          row < warmUp ? NaN : flat({ price, volume, row }),
        );
        expect(differing(name, computed[name], expected)).toEqual([]);
      }
    });

    test("leaves its inputs as they are", () => {
      const bars = madeUpBars({ seed: 9, days: DAYS });
      compute(bars);
      expect(bars).toEqual(madeUpBars({ seed: 9, days: DAYS }));
    });

    test("refuses parameters that make no sense", () => {
      for (const call of refused) expect(call).toThrow(RangeError);
    });
  });
}

/** Periods no indicator takes. */
export const BAD_PERIODS: readonly number[] = [0, -1, 1.5, NaN, Infinity];

export function flatBars(market: { price: number; volume: number; days: number }): Bars {
  const { price, volume, days } = market;
  const column = () => new Float64Array(days).fill(price);
  return {
    day: Int32Array.from({ length: days }, (_, row) => 18_262 + row),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: new Float64Array(days).fill(volume),
  };
}

function withScaledPrices(bars: Bars, factor: number): Bars {
  return withPrices(bars, (column) => column.map((price) => price * factor));
}

function withBlankRows(bars: Bars, rows: number): Bars {
  const blanks = Array.from({ length: rows }, () => NaN);
  const moved = (column: Float64Array) => Float64Array.of(...blanks, ...column);
  const days = bars.day.length + rows;
  return {
    ...withPrices(bars, moved),
    day: Int32Array.from({ length: days }, (_, row) => bars.day[0]! - rows + row),
    volume: moved(bars.volume),
  };
}

/** The rows that differ in any bit: NaN equals NaN, and 0 differs from -0. */
function differing(name: string, column: Float64Array, expected: Float64Array): string[] {
  if (column.length !== expected.length) {
    return [`${name} has ${column.length} rows, not ${expected.length}`];
  }
  const found: string[] = [];
  for (let row = 0; row < expected.length; row++) {
    const [got, wanted] = [column[row]!, expected[row]!];
    if (!Object.is(got, wanted)) found.push(`${name} is ${got} on row ${row}, not ${wanted}`);
  }
  return found;
}

/** The largest difference from `factor` times the reference, relative to it or to a thousandth of `unit`. */
function largestMiss(
  column: Float64Array,
  reference: Float64Array,
  { factor, unit }: { factor: number; unit: number },
): number {
  let largest = 0;
  for (let row = 0; row < reference.length; row++) {
    const wanted = reference[row]! * factor;
    if (Number.isNaN(wanted)) continue;
    const miss = Math.abs(column[row]! - wanted) / Math.max(Math.abs(wanted), unit * 1e-3);
    largest = Math.max(largest, Number.isNaN(miss) ? Infinity : miss);
  }
  return largest;
}
