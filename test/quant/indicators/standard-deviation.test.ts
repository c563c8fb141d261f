import { describe, expect, test } from "vitest";
import { standardDeviation } from "../../../quant/indicators/standard-deviation.ts";

describe("standardDeviation", () => {
  test("keeps its digits where the price is, or was, large relative to its moves", () => {
    const moves = [1, -1, 1, -1, 1, -1];
    const high = Float64Array.from([1, 2, 3, 4, ...moves], (move) => 2 ** 30 + move);
    expect(standardDeviation(high, 4)[9]).toBe(1);
    const collapsed = Float64Array.of(1e12, 3e11, 7e10, 5e9, ...moves.map((move) => 2 + move));
    expect(standardDeviation(collapsed, 4)[9]).toBe(1);
  });

  test("has no minimum spread: a billionth of a dollar is one, as in TA-Lib 0.8", () => {
    for (const unit of [2 ** -60, 2 ** -30, 1, 2 ** 60]) {
      const values = Float64Array.of(unit, 1.25 * unit, unit, 1.25 * unit);
      expect(standardDeviation(values, 4)[3]).toBe(0.125 * unit);
    }
    expect(standardDeviation(Float64Array.of(0.1, 0.1, 0.1, 0.1), 4)[3]).toBe(0);
  });
});
