import { describe, expect, test } from "vitest";
import { RATE_WINDOW_MS } from "../../../../server/accounts/rate.ts";
import { RateLimiter } from "../../../../server/accounts/redis/rate-limiter.ts";
import { minuteContract } from "../../../support/minute-contract.ts";

describe("a limiter", () => {
  minuteContract(() => {
    const limiter = new RateLimiter();
    return { admit: (limit, nowMs) => limiter.admit("a", limit, nowMs) };
  });

  test("keeps accounts apart", () => {
    const limiter = new RateLimiter();
    expect(limiter.admit("a", 1, 0).admitted).toBe(true);
    expect(limiter.admit("b", 1, 0).admitted).toBe(true);
    expect(limiter.admit("a", 1, 1).admitted).toBe(false);
  });

  test("forgets accounts that were idle for a window, and no others", () => {
    const limiter = new RateLimiter();
    for (let account = 0; account < 1000; account++) limiter.admit(`idle-${account}`, 5, 0);
    for (let ms = 0; ms <= 200_000; ms += 10_000) limiter.admit("busy", 5, ms);
    expect(limiter.size).toBe(1);
    const burst = new RateLimiter();
    burst.admit("a", 1, 59_000);
    burst.admit("b", 1, 61_000);
    expect(burst.admit("a", 1, 118_000).admitted, "its window is not over").toBe(false);
    const tight = new RateLimiter();
    tight.admit("a", 1, 59_999);
    tight.admit("b", 1, 59_999.5);
    expect(tight.admit("a", 1, 119_998.8).admitted, "its last millisecond").toBe(false);
  });

  test("holds a rate of millions in one entry a millisecond", () => {
    const limiter = new RateLimiter();
    const limit = 300_000;
    for (let request = 0; request < limit; request++) limiter.admit("load", limit, request / 100);
    expect(limiter.admit("load", limit, RATE_WINDOW_MS + 1).minute.remaining).toBe(100);
  });
});
