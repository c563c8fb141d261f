import { describe, expect, test } from "vitest";
import { beginSlice, growSlice, momentsOfSlice } from "../../../quant/engine/growing-slice.ts";
import {
  dailyDeviation,
  maxDrawdown,
  sharpeOfMoments,
  sharpeRatio,
  totalReturn,
} from "../../../quant/engine/statistics.ts";
import { mean } from "../../../quant/sample-statistics.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

describe("a slice that grows", () => {
  const uniform = seededUniform(4);
  const returns = Float64Array.from({ length: 500 }, () => (uniform() - 0.49) / 10);
  returns.fill(0, 100, 160);

  test.each([
    [0, [2, 350, 500]],
    [120, [150, 500]],
  ])("from day %d has the bits of the statistics one at a time", (from, ends) => {
    const slice = beginSlice(from);
    for (const to of ends) {
      growSlice(slice, returns, to);
      const moments = momentsOfSlice(slice, returns);
      expect(moments.mean).toBeCloseTo(mean(returns.subarray(from, to)), 15);
      expect(moments.deviation).toBe(dailyDeviation(returns, from, to));
      expect(sharpeOfMoments(moments)).toBe(sharpeRatio(returns, from, to));
      expect(slice.growth - 1).toBe(totalReturn(returns, from, to));
      expect(slice.maxDrawdown).toBe(maxDrawdown(returns, from, to));
    }
  });
});
