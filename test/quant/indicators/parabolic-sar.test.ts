import { describe, expect, test } from "vitest";
import { parabolicSar } from "../../../quant/indicators/parabolic-sar.ts";
import { ramp } from "../../support/indicator-reference.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

/** Levels over some days, given as the low and the high of each. */
function levelsOf(days: string, acceleration: number, maximum: number): number[] {
  const pairs = days.split(", ").map((day) => day.split(" ").map(Number));
  const low = Float64Array.from(pairs, ([each]) => each!);
  const high = Float64Array.from(pairs, ([, each]) => each!);
  return [...parabolicSar({ high, low }, acceleration, maximum)];
}

describe("parabolicSar", () => {
  test("climbs after a steady rise by the rule of the acceleration", () => {
    // Lows 99, 100, 101 ..., highs 101, 102, 103 ...; the first level is the first day's low.
    const second = 99 + 0.02 * (102 - 99);
    const third = second + 0.04 * (103 - second);
    expect([...parabolicSar(ramp(4), 0.02, 0.2)]).toEqual([NaN, 99, second, third]);
  });

  // Levels as TA-Lib's SAR gives them.
  test.each([
    ["down where the low falls further", "10 20, 8 21, 9 19", [8, 8]],
    ["down where the low falls alone", "10 20, 8 19, 7 17", [20, 19.76]],
    ["up where the high rises further", "10 20, 9 22, 11 23", [22, 9]],
    ["up where both go as far", "10 20, 9 21, 11 20", [21, 21]],
    ["up on a day inside the first", "10 20, 11 17, 12 18", [10, 10.14]],
  ])("begins %s on the second day", (_, days, levels) => {
    expect(levelsOf(days, 0.02, 0.2)).toEqual([NaN, ...levels]);
  });

  test("turns on a day that reaches the level exactly", () => {
    // The level moves a quarter of the way to the extreme: from 100 to 103, and from 110 to 107.
    expect(levelsOf("100 110, 104 112, 103 111", 0.25, 0.5)).toEqual([NaN, 100, 112]);
    expect(levelsOf("100 110, 98 106, 99 107", 0.25, 0.5)).toEqual([NaN, 110, 98]);
  });

  test("is never inside the day's range, except where it turns", () => {
    const { high, low } = madeUpBars({ seed: 7, days: 300 });
    const level = parabolicSar({ high, low }, 0.02, 0.2);
    for (let row = 1; row < 300; row++) {
      expect(level[row]! <= low[row]! || level[row]! >= high[row]!).toBe(true);
    }
  });
});
