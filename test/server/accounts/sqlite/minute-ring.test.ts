import { describe, expect, test } from "vitest";
import type { RateDecision } from "../../../../server/accounts/accounts.ts";
import {
  MINUTE,
  MINUTE_WORDS,
  RING_ENTRIES,
} from "../../../../server/accounts/sqlite/meter-layout.ts";
import { admitAt, repairRing } from "../../../../server/accounts/sqlite/minute-ring.ts";
import { RATE_WINDOW_MS } from "../../../../server/accounts/rate.ts";
import { minuteContract, type Minute } from "../../../support/minute-contract.ts";
import { seededUniform } from "../../../support/made-up-bars.ts";
import { NaiveLimiter } from "../../../support/naive-limiter.ts";

/** A record in ordinary memory, at a place of its own. */
class Ring implements Minute {
  readonly words = new Int32Array(2 * MINUTE_WORDS);

  admit(limit: number, nowMs: number): RateDecision {
    return admitAt(this.words, MINUTE_WORDS, limit, nowMs);
  }
}

/** How long an admission under a large limit may at most outstay its minute. */
const GRID_MS = 1_000;

describe("the minute in a record", () => {
  minuteContract(() => new Ring());

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

  test("holds a rate of millions in one entry a second", () => {
    const ring = new Ring();
    const limit = 300_000;
    for (let request = 0; request < limit; request++) ring.admit(limit, request / 100);
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
