import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RATE_WINDOW_MS, RateLimiter } from "../../../server/accounts/rate.ts";
import { NaiveLimiter, PAUSES } from "../../support/naive-limiter.ts";

describe("the minute rate", () => {
  test("decides as a naive log of all requests does", () => {
    fc.assert(
      fc.property(PAUSES, fc.integer({ min: 1, max: 12 }), (pauses, limit) => {
        const limiter = new RateLimiter();
        const naive = new NaiveLimiter();
        let nowMs = 0;
        for (const pause of pauses) {
          nowMs += pause;
          expect(limiter.admit("a", limit, nowMs).admitted).toBe(naive.admit(limit, nowMs));
        }
      }),
      { numRuns: 100 },
    );
  });

  test("never admits more than the limit in any 60 seconds, wherever they begin", () => {
    fc.assert(
      fc.property(PAUSES, fc.integer({ min: 1, max: 12 }), (pauses, limit) => {
        const limiter = new RateLimiter();
        const admittedMs: number[] = [];
        let nowMs = 0;
        for (const pause of pauses) {
          nowMs += pause;
          if (limiter.admit("a", limit, nowMs).admitted) admittedMs.push(nowMs);
        }
        for (let first = 0; first + limit < admittedMs.length; first++) {
          const span = admittedMs[first + limit]! - admittedMs[first]!;
          expect(span, "the limit's next admission").toBeGreaterThanOrEqual(RATE_WINDOW_MS);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("admits again exactly when Retry-After said, and not a second earlier", () => {
    fc.assert(
      fc.property(PAUSES, fc.integer({ min: 1, max: 5 }), (pauses, limit) => {
        const limiter = new RateLimiter();
        let nowMs = 0;
        for (const pause of pauses) {
          nowMs += pause;
          const { admitted, retryAfterSeconds, minute } = limiter.admit("a", limit, nowMs);
          expect(minute.remaining).toBeGreaterThanOrEqual(0);
          expect(minute.resetSeconds).toBeGreaterThanOrEqual(1);
          expect(minute.resetSeconds).toBeLessThanOrEqual(60);
          expect(retryAfterSeconds > 0).toBe(!admitted);
          if (admitted) continue;
          const early = nowMs + (retryAfterSeconds - 1) * 1000;
          expect(limiter.admit("a", limit, early).admitted).toBe(false);
          nowMs += retryAfterSeconds * 1000;
          expect(limiter.admit("a", limit, nowMs).admitted).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("tells limit, remaining and reset of a burst", () => {
    const limiter = new RateLimiter();
    expect(limiter.admit("a", 2, 1000)).toEqual({
      admitted: true,
      minute: { limit: 2, remaining: 1, resetSeconds: 60, windowSeconds: 60 },
      retryAfterSeconds: 0,
    });
    expect(limiter.admit("a", 2, 11_000).minute).toMatchObject({ remaining: 0, resetSeconds: 50 });
    expect(limiter.admit("a", 2, 30_500)).toMatchObject({
      admitted: false,
      minute: { remaining: 0, resetSeconds: 31 },
      retryAfterSeconds: 31,
    });
  });

  test("counts refused requests against nothing", () => {
    const limiter = new RateLimiter();
    limiter.admit("a", 1, 0);
    for (let ms = 1; ms < RATE_WINDOW_MS; ms += 100)
      expect(limiter.admit("a", 1, ms).admitted).toBe(false);
    expect(limiter.admit("a", 1, RATE_WINDOW_MS).admitted).toBe(true);
  });

  test("keeps accounts apart", () => {
    const limiter = new RateLimiter();
    expect(limiter.admit("a", 1, 0).admitted).toBe(true);
    expect(limiter.admit("b", 1, 0).admitted).toBe(true);
    expect(limiter.admit("a", 1, 1).admitted).toBe(false);
  });

  test("takes a changed limit into account at once, up and down", () => {
    const limiter = new RateLimiter();
    for (let request = 0; request < 10; request++) limiter.admit("a", 10, request);
    expect(limiter.admit("a", 10, 20).admitted).toBe(false);
    expect(limiter.admit("a", 11, 20).admitted).toBe(true);
    const shrunk = limiter.admit("a", 3, 30_000);
    expect(shrunk).toMatchObject({ admitted: false, minute: { limit: 3, remaining: 0 } });
    expect(shrunk.retryAfterSeconds, "nine of the eleven have to leave first").toBe(31);
  });

  test("knows which admission leaves next, also after it has made room for more", () => {
    const limiter = new RateLimiter();
    for (const second of [0, 10, 20, 30]) limiter.admit("a", 5, second * 1000);
    expect(limiter.admit("a", 5, 60_001).minute.remaining, "the first has left").toBe(1);
    expect(limiter.admit("a", 5, 60_002).minute.remaining).toBe(0);
    expect(limiter.admit("a", 5, 60_003)).toMatchObject({ admitted: false, retryAfterSeconds: 10 });
    expect(limiter.admit("a", 5, 70_000).admitted).toBe(true);
    expect(limiter.admit("a", 5, 70_001)).toMatchObject({ admitted: false, retryAfterSeconds: 10 });
  });

  test("after a change to a smaller plan, waits until fewer than that plan's limit are left", () => {
    const limiter = new RateLimiter();
    for (const second of [0, 10, 20]) limiter.admit("a", 3, second * 1000);
    expect(limiter.admit("a", 2, 30_000).retryAfterSeconds, "two have to leave").toBe(40);
    expect(limiter.admit("a", 1, 30_000).retryAfterSeconds, "all have to leave").toBe(50);
  });

  test("stands still while its clock is behind, and is empty after a leap", () => {
    const limiter = new RateLimiter();
    expect(limiter.admit("a", 1, 100_000).admitted).toBe(true);
    const { admitted, retryAfterSeconds } = limiter.admit("a", 1, 0);
    expect(admitted, "a step back opens nothing").toBe(false);
    expect(retryAfterSeconds, "and makes nobody wait for longer than a minute").toBe(60);
    expect(limiter.admit("a", 1, 159_999).admitted).toBe(false);
    expect(limiter.admit("a", 1, 160_000).admitted).toBe(true);
    expect(limiter.admit("a", 1, 1e12).admitted).toBe(true);
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
    let admitted = 0;
    for (let request = 0; request < 310_000; request++) {
      if (limiter.admit("load", limit, request / 100).admitted) admitted++;
    }
    expect(admitted).toBe(limit);
    expect(limiter.admit("load", limit, RATE_WINDOW_MS + 1).minute.remaining).toBe(100);
  });
});
