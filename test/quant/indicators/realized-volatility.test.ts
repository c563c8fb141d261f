import { describe, expect, test } from "vitest";
import { realizedVolatility } from "../../../quant/indicators/realized-volatility.ts";

describe("realizedVolatility", () => {
  test("is the sample deviation of log returns, annualised", () => {
    // Alternating returns of +10 % and -10 % (in logs): mean 0 over four, so sqrt(4 x 0.01 / 3) per day.
    const close = Float64Array.from([0, 1, 0, 1, 0, 1], (up) => 50 * Math.exp(0.1 * up));
    const daily = Math.sqrt((4 * 0.01) / 3);
    expect(realizedVolatility(close, 4)[5]).toBeCloseTo(daily * Math.sqrt(365), 12);
  });

  test.each([2, 1.004, 0.996, 1.1, 1 / 3])("of steady growth by %d is 0, in any unit", (factor) => {
    for (const unit of [1, 1000, 1e-9, 1 / 7]) {
      const close = Float64Array.from({ length: 300 }, (_, row) => unit * factor ** row);
      const inside = close.filter((price) => price > 1e-30 && price < 1e30);
      expect(new Set(realizedVolatility(inside, 20).subarray(20))).toEqual(new Set([0]));
    }
  });

  test("of a hundred-millionth of a percent a day is not", () => {
    const close = Float64Array.from([0, 1, 0, 1, 0, 1], (up) => 50 * Math.exp(1e-10 * up));
    const daily = Math.sqrt((4 * 1e-20) / 3);
    expect(realizedVolatility(close, 4)[5]! / (daily * Math.sqrt(365))).toBeCloseTo(1, 4);
  });
});
