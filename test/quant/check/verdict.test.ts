import { describe, expect, test } from "vitest";
import { verdictOf, type VerdictInput } from "../../../quant/check/verdict.ts";

const verdict = (over: Partial<VerdictInput>) =>
  verdictOf({
    pValue: 0.01,
    measuredTrials: 1,
    declaredTrials: 1,
    isHandful: true,
    activeBars: 20,
    losingBars: 5,
    realisedOnly: false,
    isTooDependent: false,
    totalReturn: 1,
    hasSuspectedFlows: false,
    noPValueReason: null,
    ...over,
  });

describe("verdictOf", () => {
  test.each([
    [0.05, "skill"],
    [0.0501, "inconclusive"],
    [0.4999, "inconclusive"],
    [0.5, "luck"],
  ])("p = %d is %s", (pValue, value) => {
    expect(verdict({ pValue }).value).toBe(value);
  });

  test("declared trials count as independent, above those measured", () => {
    expect(verdict({ declaredTrials: 5 }).pValue).toBeCloseTo(1 - 0.99 ** 5, 14);
    expect(verdict({ declaredTrials: 50, measuredTrials: 10 }).pValue).toBeCloseTo(
      1 - 0.99 ** 5,
      14,
    );
    expect(verdict({ declaredTrials: 5, measuredTrials: 10 }).pValue).toBeCloseTo(0.01, 14);
  });

  test("a p-value of 1e-12 keeps its digits over many trials", () => {
    expect(verdict({ pValue: 1e-12, declaredTrials: 1e9 }).pValue).toBeCloseTo(0.0009995, 9);
  });

  test("the break-even is the last number of trials that is skill", () => {
    const { breakEvenTrials } = verdict({ pValue: 0.01 });
    expect(breakEvenTrials).toBe(5); // 1 - 0.99^5 is 0.049, 1 - 0.99^6 is 0.059
    expect(verdict({ declaredTrials: 5 }).value).toBe("skill");
    expect(verdict({ declaredTrials: 6 }).value).toBe("inconclusive");
    expect(verdict({ pValue: 0.06 }).breakEvenTrials).toBe(0);
    expect(verdict({ pValue: 0.01, measuredTrials: 10 }).breakEvenTrials).toBe(51);
  });

  test.each([
    ["few active bars", { activeBars: 19 }, "only 19 bars"],
    ["few losing bars", { losingBars: 4 }, "only 4 bars lost"],
    ["one losing bar", { losingBars: 1 }, "only 1 bar lost"],
    ["realised profits", { realisedOnly: true }, "averages down"],
    ["unknown trials", { declaredTrials: undefined }, "number of variants"],
    ["long dependence", { isTooDependent: true }, "depend on one another"],
    ["no p-value", { pValue: NaN, noPValueReason: "why" }, "why"],
  ])("skill is withheld for %s", (_, over, reason) => {
    const found = verdict(over);
    expect(found.value).toBe("inconclusive");
    expect(found.withheldReason).toContain(reason);
  });

  test.each([
    ["that depends on itself for too long", { isTooDependent: true }],
    ["of realised profits", { realisedOnly: true }],
    ["of few active bars", { activeBars: 15 }],
  ])("a series %s bears no number of trials", (_, over) => {
    expect(verdict({ ...over, declaredTrials: undefined }).breakEvenTrials).toBeNaN();
  });

  test("luck is not withheld for realised profits, unknown trials or long dependence", () => {
    expect(verdict({ pValue: 0.7, isTooDependent: true }).value).toBe("luck");
    expect(verdict({ pValue: 0.7, realisedOnly: true }).value).toBe("luck");
    expect(verdict({ pValue: 0.7, declaredTrials: undefined }).value).toBe("luck");
  });
});
