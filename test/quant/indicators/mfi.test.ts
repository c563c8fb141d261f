import { describe, expect, test } from "vitest";
import { mfi } from "../../../quant/indicators/mfi.ts";
import { ramp } from "../../support/indicator-reference.ts";

describe("mfi", () => {
  test("has no minimum flow, as in TA-Lib 0.8, but is NaN where nothing was traded", () => {
    const rising = ramp(20);
    const values = (traded: number) =>
      mfi({ ...rising, volume: new Float64Array(20).fill(traded) }, 5)[19];
    expect(values(0), "TA-Lib's is 0").toBeNaN();
    expect(values(1e-12)).toBe(100);
    expect(values(1)).toBe(100);
  });

  test("is NaN in just the windows without volume, and 0 where traded prices stood still", () => {
    const volume = Float64Array.of(1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1);
    const values = [...mfi({ ...ramp(12), volume }, 3)];
    const known = values.map((value) => !Number.isNaN(value));
    expect(known).toEqual([0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1].map(Boolean));
    const still = new Float64Array(12).fill(7);
    expect(mfi({ high: still, low: still, close: still, volume: volume.fill(1) }, 3)[11]).toBe(0);
  });

  test("treats means of the same prices in another order as the same price", () => {
    // The sum of 0.1, 0.2 and 0.3 is 0.6000000000000001 or 0.6, depending on the order.
    const bars = {
      high: Float64Array.of(0.05, 0.1, 0.3),
      low: Float64Array.of(0.1, 0.2, 0.2),
      close: Float64Array.of(0.3, 0.3, 0.1),
      volume: Float64Array.of(1, 1, 1),
    };
    expect([mfi(bars, 1)[2], mfi(bars, 2)[2]]).toEqual([0, 100]);
  });
});
