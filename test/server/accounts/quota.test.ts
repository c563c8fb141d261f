import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { monthOf } from "../../../server/accounts/period.ts";
import { quotaState, takeInOrder } from "../../../server/accounts/quota.ts";

describe("charges that compete for what is left", () => {
  test("are taken in order, and a large one keeps no smaller one out", () => {
    expect(takeInOrder([2, 10, 1, 1], 96, 100)).toEqual({
      taken: [true, false, true, true],
      used: 100,
    });
  });

  test("are all refused above the limit, as after a change to a smaller plan", () => {
    expect(takeInOrder([1], 900, 100)).toEqual({ taken: [false], used: 900 });
  });

  test("never pass the limit, and are refused only where they do not fit", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 })),
        fc.nat(200),
        fc.nat(200),
        (units, used, limit) => {
          const decided = takeInOrder(units, used, limit);
          let total = used;
          units.forEach((each, index) => {
            expect(decided.taken[index]).toBe(total + each <= limit);
            if (decided.taken[index]) total += each;
          });
          expect(decided.used).toBe(total);
        },
      ),
    );
  });
});

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
