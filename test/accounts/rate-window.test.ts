import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RATE_WINDOW_MS, RateWindow } from "../../accounts/rate-window.ts";

/** Requests as steps of time: bursts, and pauses around the window's length. */
const PAUSES = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.double({ min: 0, max: 3, noNaN: true }),
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: 59_990, max: 60_010 }),
    fc.integer({ min: 100_000, max: 200_000 }),
  ),
  { maxLength: 200 },
);

/** Includes the instants at which the low 32 bits of the milliseconds wrap around or change sign. */
const STARTS = fc.constantFrom(0, 1_000, 2 ** 31 - 90_000, 2 ** 32 - 90_000, 5 * 2 ** 32 - 30_000);

/** A naive limiter: a log of all admissions, searched from the start each time. */
class NaiveLimiter {
  readonly admittedMs: number[] = [];

  admit(limit: number, nowMs: number): boolean {
    const inWindow = this.admittedMs.filter((at) => nowMs - Math.ceil(at) < RATE_WINDOW_MS).length;
    const admitted = inWindow < limit;
    if (admitted) this.admittedMs.push(nowMs);
    return admitted;
  }
}

describe("a rate limit window", () => {
  test("decides as a naive log of all requests does", () => {
    const limits = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(64));
    fc.assert(
      fc.property(PAUSES, limits, STARTS, (pauses, limit, startMs) => {
        const window = new RateWindow();
        const naive = new NaiveLimiter();
        let nowMs = startMs;
        for (const pause of pauses) {
          nowMs += pause;
          expect(window.admit(limit, nowMs).admitted).toBe(naive.admit(limit, nowMs));
        }
      }),
      { numRuns: 100 },
    );
  });

  test("never admits more than the limit in any 60 seconds, wherever they begin", () => {
    fc.assert(
      fc.property(PAUSES, fc.integer({ min: 1, max: 12 }), (pauses, limit) => {
        const window = new RateWindow();
        const admittedMs: number[] = [];
        let nowMs = 0;
        for (const pause of pauses) {
          nowMs += pause;
          if (window.admit(limit, nowMs).admitted) admittedMs.push(nowMs);
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
      fc.property(PAUSES, fc.constantFrom(1, 2, 3, 5, 70), (pauses, limit) => {
        const own = new RateWindow();
        let nowMs = 0;
        for (const pause of pauses) {
          nowMs += pause;
          const { admitted, retryAfterSeconds, window } = own.admit(limit, nowMs);
          expect(window.remaining).toBeGreaterThanOrEqual(0);
          expect(window.resetSeconds).toBeGreaterThanOrEqual(1);
          expect(window.resetSeconds).toBeLessThanOrEqual(60);
          expect(retryAfterSeconds > 0).toBe(!admitted);
          if (admitted) continue;
          const early = nowMs + (retryAfterSeconds - 1) * 1000;
          expect(own.admit(limit, early).admitted).toBe(false);
          nowMs += retryAfterSeconds * 1000;
          expect(own.admit(limit, nowMs).admitted).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("tells limit, remaining and reset of a burst", () => {
    const window = new RateWindow();
    expect(window.admit(2, 1000)).toEqual({
      admitted: true,
      window: { limit: 2, remaining: 1, resetSeconds: 60, windowSeconds: 60 },
      retryAfterSeconds: 0,
    });
    expect(window.admit(2, 11_000).window).toMatchObject({ remaining: 0, resetSeconds: 50 });
    expect(window.admit(2, 30_500)).toMatchObject({
      admitted: false,
      window: { remaining: 0, resetSeconds: 31 },
      retryAfterSeconds: 31,
    });
  });

  test("takes a changed limit into account at once, up and down", () => {
    const window = new RateWindow();
    for (let request = 0; request < 10; request++) window.admit(10, request);
    expect(window.admit(10, 20).admitted).toBe(false);
    expect(window.admit(11, 20).admitted).toBe(true);
    const shrunk = window.admit(3, 30_000);
    expect(shrunk).toMatchObject({ admitted: false, window: { limit: 3, remaining: 0 } });
    expect(shrunk.retryAfterSeconds, "nine of the eleven have to leave first").toBe(31);
  });

  test("after a change to a smaller plan, waits until fewer than that plan's limit are left", () => {
    const window = new RateWindow();
    for (const second of [0, 10, 20]) window.admit(3, second * 1000);
    expect(window.admit(2, 30_000).retryAfterSeconds, "two have to leave").toBe(40);
    expect(window.admit(1, 30_000).retryAfterSeconds, "all have to leave").toBe(50);
  });

  test("knows which admission leaves next, also after it has made room for more", () => {
    const window = new RateWindow();
    for (const second of [0, 10, 20, 30]) window.admit(5, second * 1000);
    expect(window.admit(5, 60_001).window.remaining, "the first has left").toBe(1);
    expect(window.admit(5, 60_002).window.remaining).toBe(0);
    expect(window.admit(5, 60_003)).toMatchObject({ admitted: false, retryAfterSeconds: 10 });
    expect(window.admit(5, 70_000).admitted).toBe(true);
    expect(window.admit(5, 70_001)).toMatchObject({ admitted: false, retryAfterSeconds: 10 });
  });

  test("does not move while its clock is behind, and is empty after a leap", () => {
    const window = new RateWindow();
    expect(window.admit(1, 100_000).admitted).toBe(true);
    const { admitted, retryAfterSeconds } = window.admit(1, 0);
    expect(admitted, "a step back opens nothing").toBe(false);
    expect(retryAfterSeconds, "and no wait is longer than a minute").toBe(60);
    expect(window.admit(1, 159_999).admitted).toBe(false);
    expect(window.admit(1, 160_000).admitted).toBe(true);
    expect(window.admit(1, 1e12).admitted).toBe(true);
    const days = 50 * 86_400_000; // the low 32 bits have wrapped around once
    expect(window.admit(1, 1e12 + days).admitted).toBe(true);
  });

  test("holds a rate of millions", () => {
    const window = new RateWindow();
    let admitted = 0;
    for (let request = 0; request < 310_000; request++) {
      if (window.admit(300_000, request / 100).admitted) admitted++;
    }
    expect(admitted).toBe(300_000);
  });

  test("counts what was admitted before a restart", () => {
    const window = new RateWindow();
    window.add(1_000, 3);
    window.add(2_000, 4);
    expect(window.admit(8, 30_000)).toMatchObject({ admitted: true, window: { remaining: 0 } });
    expect(window.admit(8, 30_001)).toMatchObject({ admitted: false, retryAfterSeconds: 31 });
    expect(window.admit(8, 61_000).window.remaining).toBe(2);
  });
});
