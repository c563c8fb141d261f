import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Redis } from "ioredis";
import { CHARGE, CONNECT } from "../../../accounts/redis/charge-scripts.ts";
import { RATE_WINDOW_MS } from "../../../accounts/rate-window.ts";
import { describeOnRedis, redisOfTests } from "../../support/redis-server.ts";

const redis = redisOfTests();
let client: Redis;
let group = 0;

beforeAll(() => {
  client = redis().client();
});
afterAll(() => client.disconnect());
beforeEach(async () => {
  await client.flushall();
  await client.eval(CONNECT.text, 0, "hs:writer:a", 1, 0, "[]");
  await client.hset("hs:account:ann", { rev: "1" });
});

/** The script at an instant that the test chooses, in microseconds. */
const AT = CHARGE.text.replace("redis.call('TIME')", "{ KEYS[1], KEYS[2] }");

async function admitAt(micros: number, limit: number, asked: number, account = "ann") {
  const time = [Math.floor(micros / 1_000_000), micros % 1_000_000];
  const kind = ["used:live:2026-02", 100, "2026-02-10|live|/dca", 0];
  const values = [account, "1", limit, "0".repeat(asked), [kind]];
  const sent = ["hs:writer:a", 1, ++group, JSON.stringify([values])];
  const reply = await client.eval(AT, 2, ...time, ...sent);
  const answer = JSON.parse(reply as string) as [ok: number, account: number[]];
  const [, [admitted = -1, count = -1, waitMicros = -1]] = answer;
  return { admitted, count, waitMicros };
}

const WINDOW_MICROS = RATE_WINDOW_MS * 1_000;
const START = 1_770_000_000_000_000;

describeOnRedis("the rate limit window in Redis", () => {
  test("admits again when the oldest admission is 60 seconds old, and not before", async () => {
    expect(await admitAt(START, 2, 1)).toEqual({
      admitted: 1,
      count: 1,
      waitMicros: WINDOW_MICROS,
    });
    expect((await admitAt(START + 10_000_000, 2, 3)).admitted).toBe(1);
    expect(await admitAt(START + WINDOW_MICROS - 1, 2, 1)).toMatchObject({
      admitted: 0,
      waitMicros: 1,
    });
    expect((await admitAt(START + WINDOW_MICROS, 2, 1)).admitted).toBe(1);
    expect((await admitAt(START + WINDOW_MICROS, 2, 1)).waitMicros).toBe(10_000_000);
  });

  test("says how long to wait when the limit was lowered below what is used", async () => {
    for (let n = 0; n < 5; n++) await admitAt(START + n * 1_000_000, 10, 1);
    expect(await admitAt(START + 5_000_000, 2, 1)).toEqual({
      admitted: 0,
      count: 5,
      waitMicros: WINDOW_MICROS - 2_000_000, // the fourth of the five has left by then
    });
  });

  test("never admits more than the limit in any 60 seconds, and never fewer than fit", async () => {
    const step = fc.record({
      // Often within one millisecond, sometimes nearly a window, sometimes more.
      micros: fc.oneof(fc.nat(1_500), fc.nat(WINDOW_MICROS / 4), fc.nat(2 * WINDOW_MICROS)),
      asked: fc.integer({ min: 1, max: 4 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const account = `run${run++}`;
        await client.hset(`hs:account:${account}`, { rev: "1" });
        const limit = 5;
        const admissions: number[] = [];
        let at = START;
        for (const { micros, asked } of steps) {
          at += micros;
          const atMs = at / 1_000;
          const inWindow = admissions.filter((each) => atMs - each < RATE_WINDOW_MS);
          const { admitted, count, waitMicros } = await admitAt(at, limit, asked, account);
          expect(admitted).toBe(Math.min(asked, limit - inWindow.length));
          expect(count).toBe(inWindow.length + admitted);
          for (let n = 0; n < admitted; n++) admissions.push(Math.ceil(atMs));
          const oldestMs = inWindow[0] ?? Math.ceil(atMs);
          expect(Math.abs(waitMicros - (oldestMs + RATE_WINDOW_MS - atMs) * 1_000)).toBeLessThan(2);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("locks no account out for longer than a minute when Redis's clock is set back", async () => {
    expect((await admitAt(START, 2, 2)).admitted).toBe(2);
    const back = START - 3_600_000_000;
    expect(await admitAt(back, 2, 1)).toMatchObject({ admitted: 0, waitMicros: WINDOW_MICROS });
    expect((await admitAt(back + WINDOW_MICROS - 1, 2, 1)).admitted).toBe(0);
    expect((await admitAt(back + WINDOW_MICROS, 2, 1)).admitted).toBe(1);
  });

  test("keeps one pair a millisecond, and no list of an account that is idle", async () => {
    for (let n = 0; n < 5; n++) await admitAt(START + 100 * n, 100, 20);
    expect(await client.llen("hs:rate:ann")).toBe(2);
    expect(await client.pttl("hs:rate:ann")).toBeGreaterThan(2 * RATE_WINDOW_MS);
    await admitAt(START + 2 * WINDOW_MICROS, 1, 1);
    expect(await client.llen("hs:rate:ann")).toBe(1);
  });

  test("holds also where its list is gone", async () => {
    await admitAt(START, 5, 2);
    await client.del("hs:rate:ann");
    expect(await admitAt(START + 1_000_000, 5, 1)).toMatchObject({ admitted: 1, count: 3 });
    expect(await admitAt(START + 2 * WINDOW_MICROS, 5, 1)).toMatchObject({ admitted: 1, count: 1 });
  });
});
