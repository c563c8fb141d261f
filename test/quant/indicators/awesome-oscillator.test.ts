import { describe, expect, test } from "vitest";
import { awesomeOscillator } from "../../../quant/indicators/awesome-oscillator.ts";
import { indicatorContract } from "../../support/indicator-contract.ts";
import { mirrored, printed, published, ramp, TALIPP } from "../../support/indicator-reference.ts";

describe("awesomeOscillator", () => {
  indicatorContract({
    compute: ({ high, low }) => ({ value: awesomeOscillator(high, low) }),
    outputs: { value: { warmUp: 33, price: "equivariant", flat: () => 0 } },
    refused: [],
  });

  test("is talipp 2.7.0's AO(5, 34) of its fifty days", () => {
    const values = printed(awesomeOscillator(TALIPP.high, TALIPP.low), 5);
    expect(values.slice(-5)).toEqual(published("0.58547,0.73435,0.92456,1.16985,1.32032"));
  });

  test("of a steady rise is how far apart the two windows' middles are", () => {
    // The windows' middles are 2 and 16.5 days back, at 1 per day.
    const { high, low } = ramp(60);
    expect(awesomeOscillator(high, low)[59]).toBeCloseTo(14.5, 10);
    const falling = mirrored(ramp(60));
    expect(awesomeOscillator(falling.high, falling.low)[59]).toBeCloseTo(-14.5, 10);
  });
});
