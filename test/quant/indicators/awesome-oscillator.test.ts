import { describe, expect, test } from "vitest";
import { awesomeOscillator } from "../../../quant/indicators/awesome-oscillator.ts";
import { indicatorContract } from "../../support/indicator-contract.ts";
import { mirrored, ramp } from "../../support/indicator-reference.ts";

describe("awesomeOscillator", () => {
  indicatorContract({
    compute: ({ high, low }) => ({ value: awesomeOscillator(high, low) }),
    outputs: { value: { warmUp: 33, price: "equivariant", flat: () => 0 } },
    refused: [],
  });

  test("of a steady rise is how far apart the two windows' middles are", () => {
    // The windows' middles are 2 and 16.5 days back, at 1 per day.
    const { high, low } = ramp(60);
    expect(awesomeOscillator(high, low)[59]).toBeCloseTo(14.5, 10);
    const falling = mirrored(ramp(60));
    expect(awesomeOscillator(falling.high, falling.low)[59]).toBeCloseTo(-14.5, 10);
  });
});
