import { describe, expect, test } from "vitest";
import { parabolicSar } from "../../../quant/indicators/parabolic-sar.ts";
import { indicatorContract } from "../../support/indicator-contract.ts";
import { ramp, TULIP } from "../../support/indicator-reference.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

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

  test("is never inside the day's range, except where it turns", () => {
    const { high, low } = madeUpBars({ seed: 7, days: 300 });
    const level = parabolicSar(high, low, 0.02, 0.2);
    for (let row = 1; row < 300; row++) {
      expect(level[row]! <= low[row]! || level[row]! >= high[row]!).toBe(true);
    }
  });
});
