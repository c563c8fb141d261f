import { describe, expect, test } from "vitest";
import { monthOf, quotaState } from "../../accounts/in-force.ts";

describe("the state of a month", () => {
  const now = Date.parse("2026-02-28T23:59:58.500Z");

  test("counts whole seconds to the month's end, rounded up", () => {
    expect(quotaState(40, 100, monthOf(now), now)).toEqual({
      used: 40,
      quota: { limit: 100, remaining: 60, resetSeconds: 2, windowSeconds: 28 * 86_400 },
    });
  });

  test("is over at once, not before, where its end has passed meanwhile", () => {
    const { quota } = quotaState(40, 100, monthOf(now), now + 60_000);
    expect(quota.resetSeconds).toBe(0);
  });

  test("has nothing remaining, not less, where more is used than the plan allows", () => {
    expect(quotaState(900, 100, monthOf(now), now)).toMatchObject({
      used: 900,
      quota: { remaining: 0 },
    });
  });
});
