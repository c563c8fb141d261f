import { describe, expect, test } from "vitest";
import { parabolicSar } from "../../../quant/indicators/parabolic-sar.ts";
import { indicatorContract } from "../../support/indicator-contract.ts";
import { ramp, TULIP } from "../../support/indicator-reference.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

type Days = (readonly [low: number, high: number])[];

function levelsOf(days: Days, acceleration: number, maximum: number): number[] {
  const low = Float64Array.from(days, ([each]) => each);
  const high = Float64Array.from(days, ([, each]) => each);
  return [...parabolicSar(high, low, acceleration, maximum)];
}

describe("parabolicSar", () => {
  indicatorContract({
    compute: ({ high, low }) => ({ level: parabolicSar(high, low, 0.02, 0.2) }),
    outputs: { level: { warmUp: 1, price: "equivariant", flat: ({ price }) => price } },
    refused: [0, -0.1, NaN, Infinity].flatMap((factor) => [
      () => parabolicSar(TULIP.high, TULIP.low, factor, 0.2),
      () => parabolicSar(TULIP.high, TULIP.low, 0.02, factor),
    ]),
  });

  test("climbs after a steady rise by the rule of the acceleration", () => {
    // Lows 99, 100, 101 ..., highs 101, 102, 103 ...; the first level is the first day's low.
    const { high, low } = ramp(4);
    const second = 99 + 0.02 * (102 - 99);
    const third = second + 0.04 * (103 - second);
    expect([...parabolicSar(high, low, 0.02, 0.2)]).toEqual([NaN, 99, second, third]);
  });

  // Levels as TA-Lib's SAR gives them; each day is its low and its high.
  test.each<[string, Days, number[]]>([
    [
      "down where the low falls further",
      [
        [8, 21],
        [9, 19],
      ],
      [8, 8],
    ],
    [
      "down where the low falls alone",
      [
        [8, 19],
        [7, 17],
      ],
      [20, 19.76],
    ],
    [
      "up where the high rises further",
      [
        [9, 22],
        [11, 23],
      ],
      [22, 9],
    ],
    [
      "up where both go as far",
      [
        [9, 21],
        [11, 20],
      ],
      [21, 21],
    ],
    [
      "up on a day inside the first",
      [
        [11, 17],
        [12, 18],
      ],
      [10, 10.14],
    ],
  ])("begins %s on the second day", (_, days, levels) => {
    expect(levelsOf([[10, 20], ...days], 0.02, 0.2)).toEqual([NaN, ...levels]);
  });

  test("turns on a day that reaches the level exactly", () => {
    // The level moves a quarter of the way to the extreme: from 100 to 103, and from 110 to 107.
    const rise: Days = [
      [100, 110],
      [104, 112],
      [103, 111],
    ];
    expect(levelsOf(rise, 0.25, 0.5)).toEqual([NaN, 100, 112]);
    const fall: Days = [
      [100, 110],
      [98, 106],
      [99, 107],
    ];
    expect(levelsOf(fall, 0.25, 0.5)).toEqual([NaN, 110, 98]);
  });

  test("is never inside the day's range, except where it turns", () => {
    const { high, low } = madeUpBars({ seed: 7, days: 300 });
    const level = parabolicSar(high, low, 0.02, 0.2);
    for (let row = 1; row < 300; row++) {
      expect(level[row]! <= low[row]! || level[row]! >= high[row]!).toBe(true);
    }
  });
});
