import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RateDecision } from "../../../../server/accounts/accounts.ts";
import {
  MINUTE,
  MINUTE_WORDS,
  RING_ENTRIES,
} from "../../../../server/accounts/embedded/meter-layout.ts";
import { admitAt, repairRing } from "../../../../server/accounts/embedded/minute-ring.ts";
import { RATE_WINDOW_MS } from "../../../../server/accounts/rate.ts";
import { seededUniform } from "../../../support/made-up-bars.ts";
import { NaiveLimiter, PAUSES } from "../../../support/naive-limiter.ts";

/** A record in ordinary memory, at a place of its own. */
class Ring {
  readonly words = new Int32Array(2 * MINUTE_WORDS);

  admit(limit: number, nowMs: number): RateDecision {
    return admitAt(this.words, MINUTE_WORDS, limit, nowMs);
  }
}

/** Includes the instants at which the low 32 bits of the milliseconds wrap around or change sign. */
const starts = fc.constantFrom(0, 1_000, 2 ** 31 - 90_000, 2 ** 32 - 90_000, 5 * 2 ** 32 - 30_000);

/** How long an admission under a large limit may at most outstay its minute. */
const GRID_MS = 1_000;

describe("the minute in a record", () => {
  test("decides as a naive log of all requests does, up to as many as the ring has entries", () => {
    const limits = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(RING_ENTRIES));
    fc.assert(
      fc.property(PAUSES, limits, starts, (pauses, limit, startMs) => {
        const ring = new Ring();
        const naive = new NaiveLimiter();
        let nowMs = startMs;
        for (const pause of pauses) {
          nowMs += pause;
          expect(ring.admit(limit, nowMs).admitted).toBe(naive.admit(limit, nowMs));
        }
      }),
      { numRuns: 100 },
    );
  });

  test.each([65, 180, 600])(
    "of %d never admits more in any 60 seconds, and refuses none that a window a second longer holds",
    (limit) => {
      const uniform = seededUniform(limit);
      const ring = new Ring();
      const admittedMs: number[] = [];
      let nowMs = 2 ** 32 - 200_000;
      for (let request = 0; request < 8_000; request++) {
        nowMs += uniform() < 0.01 ? uniform() * 5_000 : uniform() * (60_000 / limit);
        if (ring.admit(limit, nowMs).admitted) {
          admittedMs.push(nowMs);
          continue;
        }
        const since = nowMs - RATE_WINDOW_MS - GRID_MS - 1;
        const before = admittedMs.at(-limit) ?? Number.NEGATIVE_INFINITY;
        expect(before, "as many as the limit since then").toBeGreaterThan(since);
      }
      for (let first = 0; first + limit < admittedMs.length; first++) {
        const span = admittedMs[first + limit]! - admittedMs[first]!;
        expect(span, "the limit's next admission").toBeGreaterThanOrEqual(RATE_WINDOW_MS);
      }
      expect(admittedMs.length).toBeGreaterThan(1_000);
    },
  );

  test("admits again when Retry-After said; for small limits not a second earlier", () => {
    fc.assert(
      fc.property(PAUSES, fc.constantFrom(1, 2, 5, 70), (pauses, limit) => {
        const ring = new Ring();
        let nowMs = 0;
        for (const pause of pauses) {
          nowMs += pause;
          const { admitted, retryAfterSeconds, minute } = ring.admit(limit, nowMs);
          expect(minute.remaining).toBeGreaterThanOrEqual(0);
          expect(minute.resetSeconds).toBeGreaterThanOrEqual(1);
          expect(minute.resetSeconds).toBeLessThanOrEqual(60);
          expect(retryAfterSeconds > 0).toBe(!admitted);
          if (admitted) continue;
          const early = nowMs + (retryAfterSeconds - 1) * 1000;
          expect(ring.admit(limit, early).admitted).toBe(false);
          nowMs += retryAfterSeconds * 1000;
          expect(ring.admit(limit, nowMs).admitted).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("tells limit, remaining and reset of a burst", () => {
    const ring = new Ring();
    expect(ring.admit(2, 1000)).toEqual({
      admitted: true,
      minute: { limit: 2, remaining: 1, resetSeconds: 60, windowSeconds: 60 },
      retryAfterSeconds: 0,
    });
    expect(ring.admit(2, 11_000).minute).toMatchObject({ remaining: 0, resetSeconds: 50 });
    expect(ring.admit(2, 30_500)).toMatchObject({
      admitted: false,
      minute: { remaining: 0, resetSeconds: 31 },
      retryAfterSeconds: 31,
    });
  });

  test("takes a changed limit into account at once, up and down", () => {
    const ring = new Ring();
    for (let request = 0; request < 10; request++) ring.admit(10, request);
    expect(ring.admit(10, 20).admitted).toBe(false);
    expect(ring.admit(11, 20).admitted).toBe(true);
    const shrunk = ring.admit(3, 30_000);
    expect(shrunk).toMatchObject({ admitted: false, minute: { limit: 3, remaining: 0 } });
    expect(shrunk.retryAfterSeconds, "nine of the eleven have to leave first").toBe(31);
  });

  test("has room for a plan that grows while the ring is full", () => {
    const ring = new Ring();
    const naive = new NaiveLimiter();
    for (let n = 0; n < RING_ENTRIES; n++) {
      expect(ring.admit(RING_ENTRIES, n * 3).admitted).toBe(naive.admit(RING_ENTRIES, n * 3));
    }
    let admitted = RING_ENTRIES;
    for (let ms = 200; ms < 59_000; ms += 100) if (ring.admit(300, ms).admitted) admitted++;
    expect(admitted).toBe(300);
    expect(ring.admit(300, 60_200).admitted).toBe(false);
    expect(ring.admit(300, 61_000).admitted, "those of the first second have left").toBe(true);
  });

  test("stands still while its clock is behind, and is empty after a leap", () => {
    const ring = new Ring();
    expect(ring.admit(1, 100_000).admitted).toBe(true);
    expect(ring.admit(1, 0).admitted, "a step back opens nothing").toBe(false);
    expect(ring.admit(1, 159_999).admitted).toBe(false);
    expect(ring.admit(1, 160_000).admitted).toBe(true);
    expect(ring.admit(1, 1e12).admitted).toBe(true);
    const days = 50 * 86_400_000; // the 32 bits of the instants have wrapped around once
    expect(ring.admit(1, 1e12 + days).admitted).toBe(true);
  });

  test("holds a rate of millions", () => {
    const ring = new Ring();
    const limit = 300_000;
    let admitted = 0;
    for (let request = 0; request < 310_000; request++) {
      if (ring.admit(limit, request / 100).admitted) admitted++;
    }
    expect(admitted).toBe(limit);
    // Those of the first second: the instants 0 to 999, less the one just admitted.
    expect(ring.admit(limit, RATE_WINDOW_MS + 1_000).minute.remaining).toBe(99_900);
  });

  test("is added up again from its entries, whatever its sum says", () => {
    const ring = new Ring();
    for (let n = 0; n < 7; n++) ring.admit(10, n);
    ring.words[MINUTE_WORDS + MINUTE.ringTotal] = 3;
    repairRing(ring.words, MINUTE_WORDS);
    expect(ring.admit(10, 7).minute.remaining).toBe(2);
  });
});
