import { describe, expect, test } from "vitest";
import type { Bars } from "../../../quant/bars.ts";
import {
  BLOCK_DAYS_MAX,
  panelOf,
  permutedDays,
  rebuiltBars,
  withoutDrift,
} from "../../../quant/overfitting/index-panel.ts";
import { seededRandom } from "../../../quant/overfitting/seeded-random.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const DAYS = 600;
const BARS = madeUpBars({ seed: 7, days: 1000 });
const LAST = BARS.day.at(-1)!;
const PLAIN = Int32Array.from({ length: DAYS }, (_, day) => day);

/** Largest relative difference of two columns. */
function distance(one: Float64Array, other: Float64Array): number {
  return one.reduce((worst, value, row) => Math.max(worst, Math.abs(value / other[row]! - 1)), 0);
}

describe("panelOf and rebuiltBars", () => {
  test("the plain order gives the prices back", () => {
    const panel = panelOf([BARS], { lastDay: LAST, days: DAYS });
    const rebuilt = rebuiltBars(panel.coins[0]!, PLAIN);
    for (const column of ["open", "high", "low", "close", "volume"] as const) {
      expect(
        distance(rebuilt[column], BARS[column].subarray(400)),
        `column ${column}`,
      ).toBeLessThan(1e-12);
    }
  });

  test("the close before the panel is what the first day moves from", () => {
    for (const from of [1, 400]) {
      const [coin] = panelOf([BARS], { lastDay: BARS.day[from + DAYS - 1]!, days: DAYS }).coins;
      expect(coin!.base).toBe(BARS.close[from - 1]);
      expect(coin!.close[0]).toBe(BARS.close[from]! / BARS.close[from - 1]!);
    }
  });

  test("a history that begins with the panel has its open as the close before", () => {
    const panel = panelOf([BARS], { lastDay: BARS.day[0]! + DAYS - 1, days: DAYS });
    const rebuilt = rebuiltBars(panel.coins[0]!, PLAIN);
    expect(distance(rebuilt.close, BARS.close.subarray(0, DAYS))).toBeLessThan(1e-12);
    expect(rebuilt.open[0]).toBe(BARS.open[0]);
  });

  test("refuses a coin that does not have all the days", () => {
    expect(() => panelOf([BARS], { lastDay: LAST + 1, days: DAYS })).toThrow(RangeError);
    expect(() => panelOf([BARS], { lastDay: LAST, days: 1001 })).toThrow(RangeError);
  });

  test("a permutation keeps each coin's total gain and the days that coins share", () => {
    const other: Bars = { ...BARS, close: BARS.close.map((close) => close ** 0.5 * 10) };
    const panel = panelOf([BARS, other], { lastDay: LAST, days: DAYS });
    const order = permutedDays(DAYS, seededRandom(1, 0));
    const [one, two] = panel.coins.map((coin) => rebuiltBars(coin, order));
    expect(one!.close.at(-1)! / BARS.close.at(-1)!).toBeCloseTo(1, 10);
    expect(two!.close.at(-1)! / other.close.at(-1)!).toBeCloseTo(1, 10);
    // The second coin gains the root of what the first gains, also on every day of the new order.
    for (let row = 1; row < DAYS; row++) {
      const gain = one!.close[row]! / one!.close[row - 1]!;
      expect(two!.close[row]! / two!.close[row - 1]!).toBeCloseTo(Math.sqrt(gain), 10);
    }
  });

  test("without drift the mean daily return is 0, and days are otherwise alike", () => {
    const panel = withoutDrift(panelOf([BARS], { lastDay: LAST, days: DAYS }));
    const rebuilt = rebuiltBars(panel.coins[0]!, PLAIN);
    const { close } = panel.coins[0]!;
    expect(close.reduce((sum, ratio) => sum + ratio - 1, 0) / DAYS).toBeCloseTo(0, 12);
    const range = (bars: Bars, row: number) => bars.high[row]! / bars.low[row]!;
    expect(range(rebuilt, 10)).toBeCloseTo(range(BARS, 410), 10);
  });

  test("shared columns lie in shared memory", () => {
    const panel = panelOf([BARS], { lastDay: LAST, days: DAYS, share: true });
    expect(panel.coins[0]!.close.buffer).toBeInstanceOf(SharedArrayBuffer);
  });
});

describe("permutedDays", () => {
  const order = permutedDays(DAYS, seededRandom(3, 0));

  test("holds each day once", () => {
    expect(order.toSorted()).toEqual(PLAIN);
  });

  test("keeps blocks of 1 to 5 neighbours together, each length about as often", () => {
    const long = permutedDays(60_000, seededRandom(5, 0));
    const lengths = new Map<number, number>();
    let length = 1;
    for (let row = 1; row < long.length; row++) {
      if (long[row] === long[row - 1]! + 1) {
        length++;
      } else {
        lengths.set(length, (lengths.get(length) ?? 0) + 1);
        length = 1;
      }
    }
    for (let size = 1; size <= BLOCK_DAYS_MAX; size++) {
      // 20,000 blocks, 4,000 of each length, sd 57
      expect(lengths.get(size)! / 4000, `blocks of ${size}`).toBeCloseTo(1, 1);
    }
  });

  test("the same seed and stream give the same order, another stream another", () => {
    expect(permutedDays(DAYS, seededRandom(3, 0))).toEqual(order);
    expect(permutedDays(DAYS, seededRandom(3, 1))).not.toEqual(order);
    expect(permutedDays(DAYS, seededRandom(4, 0))).not.toEqual(order);
  });
});
