import { describe, expect, test } from "vitest";
import { adx } from "../../../quant/indicators/adx.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { mirrored, ramp, TULIP } from "../../support/indicator-reference.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

describe("adx", () => {
  indicatorContract({
    compute: ({ high, low, close }) => ({ ...adx(high, low, close, 14) }),
    outputs: {
      adx: { warmUp: 27, price: "invariant", flat: () => 0 },
      plusDi: { warmUp: 14, price: "invariant", flat: () => 0 },
      minusDi: { warmUp: 14, price: "invariant", flat: () => 0 },
    },
    refused: [...BAD_PERIODS, 1].map(
      (period) => () => adx(TULIP.high, TULIP.low, TULIP.close, period),
    ),
  });

  test("of a steady rise is 100, all of it upward", () => {
    const { high, low, close } = ramp(40);
    const { adx: strength, plusDi, minusDi } = adx(high, low, close, 5);
    expect(strength[39]).toBeCloseTo(100, 10);
    // Each day moves up by 1 within a true range of 2.
    expect(plusDi[39]).toBeCloseTo(50, 10);
    expect(minusDi[39]).toBe(0);
  });

  test("of a market upside down has its directions swapped", () => {
    const bars = madeUpBars({ seed: 5, days: 200 });
    const turned = mirrored(bars);
    const upright = adx(bars.high, bars.low, bars.close, 14);
    const flipped = adx(turned.high, turned.low, turned.close, 14);
    for (let row = 27; row < 200; row++) {
      expect(flipped.plusDi[row]).toBeCloseTo(upright.minusDi[row]!, 8);
      expect(flipped.minusDi[row]).toBeCloseTo(upright.plusDi[row]!, 8);
      expect(flipped.adx[row]).toBeCloseTo(upright.adx[row]!, 8);
    }
  });

  test("holds its directions while prices do not move", () => {
    const bars = madeUpBars({ seed: 6, days: 60 });
    for (const column of [bars.high, bars.low, bars.close]) column.fill(bars.close[39]!, 40);
    const { adx: strength, plusDi, minusDi } = adx(bars.high, bars.low, bars.close, 5);
    expect(plusDi[59]).toBeCloseTo(plusDi[41]!, 9);
    expect(minusDi[59]).toBeCloseTo(minusDi[41]!, 9);
    const index = (100 * Math.abs(plusDi[41]! - minusDi[41]!)) / (plusDi[41]! + minusDi[41]!);
    // The index of each standing day is the same, so its average approaches it.
    expect(Math.abs(strength[59]! - index)).toBeLessThan(Math.abs(strength[45]! - index));
  });
});
