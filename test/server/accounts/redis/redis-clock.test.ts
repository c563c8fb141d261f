import { beforeEach, describe, expect, test } from "vitest";
import { RedisClock } from "../../../../server/accounts/redis/redis-clock.ts";

/** How far Redis's clock is ahead of this process's own. */
const AHEAD_MS = 1_000_000;

describe("Redis's clock as a process knows it", () => {
  let monotonicMs: number;
  let aheadMs: number;
  let clock: RedisClock;

  beforeEach(() => {
    [monotonicMs, aheadMs] = [5_000, AHEAD_MS];
    clock = new RedisClock(() => monotonicMs);
    ask(1, 1);
  });

  /** One question: how long it takes to Redis, and how long the answer then takes to be read. */
  function ask(thereMs: number, backMs: number): void {
    const askedMs = clock.asking();
    monotonicMs += thereMs;
    const redisMs = Math.floor(monotonicMs + aheadMs);
    monotonicMs += backMs;
    clock.note(redisMs, askedMs);
  }

  const behindMs = () => monotonicMs + aheadMs - clock.in(0);

  test("is behind by the fastest answer's way back", () => {
    ask(1, 20);
    expect(behindMs()).toBe(1);
    ask(20, 0);
    expect(behindMs()).toBe(0);
  });

  test.each([600, 60_000, 3_600_000])(
    "stays as it was after %d ms in which an answer was not read",
    (stoodStillMs) => {
      ask(0, stoodStillMs);
      expect(behindMs()).toBe(1);
    },
  );

  test.each([-3_600_000, -600, -10, 10, 600, 3_600_000])(
    "follows a clock that was set by %d ms with the next answer",
    (byMs) => {
      aheadMs += byMs;
      ask(1, 1);
      expect(behindMs()).toBe(1);
    },
  );

  test("follows a slower clock, and is never ahead by more than an answer takes", () => {
    for (let hour = 0; hour < 24; hour++) {
      monotonicMs += 3_600_000;
      aheadMs -= 180; // 50 millionths
      ask(1, 1);
      expect(Math.abs(behindMs())).toBeLessThanOrEqual(2);
    }
  });
});
